import { env } from '#lib/env.server'
import type { Newcomer, Profile } from '#lib/federation/accounts.server'
import { SignInProblem } from '#lib/federation/problem.server'

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
function profileOf(claims: Claims): Profile {
  const { OIDC_ROLE_CLAIM, OIDC_ENTERPRISE_CLAIM } = env()
  const nick = nickIn(claims)
  if (nick === undefined)
    throw new SignInProblem('invalid', { step: 'user', cause: new Error('No claim names the user') })
  return {
    nick,
    name: textOf(claims, 'given_name') ?? textOf(claims, 'name'),
    surname: textOf(claims, 'family_name'),
    email: textOf(claims, 'email'),
    role: textOf(claims, OIDC_ROLE_CLAIM),
    enterprise: textOf(claims, OIDC_ENTERPRISE_CLAIM),
  }
}

/** Who the claims speak of, to sign in to the console. `issuer`: where the subject is unique. */
export function personOf(claims: Claims, { issuer, subject }: { issuer: string; subject: string }): Newcomer {
  const { OIDC_CREATE_USERS: create, OIDC_LINK_EXISTING: link } = env()
  const profile = profileOf(claims)
  return { provider: 'OPENID', issuer, subject, nick: profile.nick, profile, create, link }
}
