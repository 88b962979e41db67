import { env } from '#lib/ground/env.server'

const vendor = () => env().VENDOR.charAt(0).toUpperCase() + env().VENDOR.slice(1)

/** The response header with a new token, on every success. */
export const tokenHeader = (): string => `X-${vendor()}-Token`

/** The header that requires a verification code (response) or contains it (request). */
export const codeHeader = (): string => `X-${vendor()}-OTP`

/** The response header with the number of seconds that an authenticator's clock is ahead. */
export const clockHeader = (): string => `X-${vendor()}-OTP-Clock`
