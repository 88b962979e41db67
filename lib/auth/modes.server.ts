import { env } from '#lib/env.server'

/* Which ways to sign in are in force: what the settings name. */

export const isOidcOn = (): boolean => env().OIDC_ISSUER !== undefined

export const isSamlOn = (): boolean =>
  env().SAML_IDP_METADATA !== undefined || env().SAML_ENTRY_POINT !== undefined

/** Nick and password, by Basic and in the console: off with OpenID Connect, and with SAML unless it may stay on. */
export const isPasswordOn = (): boolean => !isOidcOn() && (!isSamlOn() || env().SAML_ALLOW_BASIC)
