import { env } from '#lib/env.server'

const vendor = () => env().VENDOR.charAt(0).toUpperCase() + env().VENDOR.slice(1)

/** The header that carries a fresh token on every success. */
export const tokenHeader = (): string => `X-${vendor()}-Token`

/** The header that asks for a verification code, and brings it. */
export const codeHeader = (): string => `X-${vendor()}-OTP`

/** The header that tells by how many seconds the clock of an authenticator is ahead. */
export const clockHeader = (): string => `X-${vendor()}-OTP-Clock`
