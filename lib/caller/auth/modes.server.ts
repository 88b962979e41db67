import { env } from '#lib/ground/env.server'

/* The sign-in mechanisms that the settings turn on. */

export const isOidcOn = (): boolean => env().OIDC_ISSUER !== undefined

export const isSamlOn = (): boolean =>
  env().SAML_IDP_METADATA !== undefined || env().SAML_ENTRY_POINT !== undefined

/** Nick and password, by Basic and in the console: off with OpenID Connect, and with SAML unless SAML_ALLOW_BASIC is set. */
export const isPasswordOn = (): boolean => !isOidcOn() && (!isSamlOn() || env().SAML_ALLOW_BASIC)
