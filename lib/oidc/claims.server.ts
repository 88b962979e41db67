import { env } from '#lib/env.server'
import { type Identity, SignInProblem } from '#lib/federation/sign-in.server'

export type Claims = Record<string, unknown>

/** A claim by its name, or by the way to it through objects (`realm_access.roles`). */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>(
      (value, word) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, word)
          ? (value as Claims)[word]
          : undefined,
      claims,
    )
}

/** The text of a claim; of a list its first. */
function textOf(claims: Claims, name: string): string | undefined {
  const value = claimOf(claims, name)
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' && one !== '' ? one : undefined
}

/** The nick that the claims name. An address that the provider has not verified names nobody (OpenID Connect Core §5.7). */
export function nickIn(claims: Claims): string | undefined {
  const { OIDC_USER_CLAIM } = env()
  // Some providers say it as a text.
  if (OIDC_USER_CLAIM === 'email' && String(claims.email_verified) === 'false') return undefined
  const nick = claimOf(claims, OIDC_USER_CLAIM)
  return typeof nick === 'string' && nick !== '' ? nick : undefined
}

/** Whether the claims say all that is wanted of somebody: else the userinfo endpoint may know more. */
export function isComplete(claims: Claims): boolean {
  const { OIDC_CREATE_USERS, OIDC_ROLE_CLAIM, OIDC_ENTERPRISE_CLAIM } = env()
  const wanted = ['name', 'email', ...(OIDC_CREATE_USERS ? [OIDC_ROLE_CLAIM, OIDC_ENTERPRISE_CLAIM] : [])]
  return nickIn(claims) !== undefined && wanted.every((name) => textOf(claims, name) !== undefined)
}

/** Who the claims speak of. Throws SignInProblem where they name nobody. */
export function identityOf(claims: Claims): Identity {
  const { OIDC_ROLE_CLAIM, OIDC_ENTERPRISE_CLAIM } = env()
  const nick = nickIn(claims)
  if (nick === undefined) throw new SignInProblem('invalid', { cause: new Error('No claim names the user') })
  return {
    nick,
    name: textOf(claims, 'given_name') ?? textOf(claims, 'name'),
    surname: textOf(claims, 'family_name'),
    email: textOf(claims, 'email'),
    role: textOf(claims, OIDC_ROLE_CLAIM),
    enterprise: textOf(claims, OIDC_ENTERPRISE_CLAIM),
  }
}
