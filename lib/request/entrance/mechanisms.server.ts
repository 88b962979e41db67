import { isOidcOn, isPasswordOn, isSamlOn } from '#lib/caller/auth/modes.server'
import { env } from '#lib/ground/env.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import type { SignInMechanisms } from '#lib/people/federation/mechanisms.schema'
import { selfOf } from '#lib/people/saml/service-provider.server'
import { offeredProviders } from '#lib/people/sign-in/two-factor.server'

/* The mechanisms in force, for administrators. Each field is listed here, so that no secret is included by accident. */

/** Removes a user name and password from the address. */
function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  url.username = ''
  url.password = ''
  return url.href
}

function mailView(): SignInMechanisms['mail'] {
  const { SMTP_URL, MAIL_FROM } = env()
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return undefined
  return { from: MAIL_FROM, server: new URL(SMTP_URL).host }
}

function oidcView(base: string): SignInMechanisms['oidc'] {
  if (!isOidcOn()) return undefined
  const settings = env()
  return {
    issuer: withoutCredentials(settings.OIDC_ISSUER ?? ''),
    clientId: settings.OIDC_CLIENT_ID ?? '',
    clientAuth: settings.OIDC_CLIENT_AUTH,
    scopes: settings.OIDC_SCOPES,
    audience: settings.OIDC_AUDIENCE,
    userClaim: settings.OIDC_USER_CLAIM,
    roleClaim: settings.OIDC_ROLE_CLAIM,
    enterpriseClaim: settings.OIDC_ENTERPRISE_CLAIM,
    createUsers: settings.OIDC_CREATE_USERS,
    linkExisting: settings.OIDC_LINK_EXISTING,
    callback: `${base}/api/auth/oidc/callback`,
    afterSignOut: `${base}/sign-in`,
  }
}

function samlView(request: Exchange): SignInMechanisms['saml'] {
  if (!isSamlOn()) return undefined
  const settings = env()
  const { entityId, acs, logout } = selfOf(request)
  const { SAML_IDP_METADATA: source, SAML_ENTRY_POINT: entryPoint } = settings
  return {
    ...(source !== undefined
      ? { providerMetadata: withoutCredentials(source) }
      : { entryPoint: withoutCredentials(entryPoint ?? '') }),
    entityId,
    metadata: `${baseOf(request)}/api/auth/saml/metadata`,
    acs,
    logout,
    signed: settings.SAML_SIGNED,
    nickAttribute: settings.SAML_NICK_ATTRIBUTE,
    nameAttribute: settings.SAML_NAME_ATTRIBUTE,
    emailAttribute: settings.SAML_EMAIL_ATTRIBUTE,
    roleAttribute: settings.SAML_ROLE_ATTRIBUTE,
    enterpriseAttribute: settings.SAML_ENTERPRISE_ATTRIBUTE,
    createUsers: settings.SAML_CREATE_USERS,
    linkExisting: settings.SAML_LINK_EXISTING,
    allowsPassword: settings.SAML_ALLOW_BASIC,
  }
}

export async function readMechanisms({ request }: { request: Exchange }): Promise<SignInMechanisms> {
  const settings = env()
  const base = baseOf(request)
  return {
    links: [],
    password: { on: isPasswordOn(), tries: settings.PASSWORD_TRIES },
    twoFactor: {
      providers: offeredProviders(),
      resetApprovals: settings.TWO_FACTOR_RESET_APPROVALS,
    },
    mail: mailView(),
    sessions: {
      idleSeconds: settings.SESSION_IDLE_SECONDS,
      maxSeconds: settings.SESSION_MAX_SECONDS,
      tokenSeconds: settings.TOKEN_TTL_SECONDS,
    },
    oauth: {
      requestToken: `${base}/oauth/request_token`,
      authorize: `${base}/oauth/authorize`,
      accessToken: `${base}/oauth/access_token`,
    },
    oidc: oidcView(base),
    saml: samlView(request),
  }
}
