import { env } from '#lib/ground/env.server'
import type { Newcomer, Profile } from '#lib/people/federation/accounts.server'

export type Claims = Record<string, unknown>

/** A claim by its name, or by its path through objects (`realm_access.roles`). */
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

/** The text of a claim, or the first text of a list. */
function textOf(claims: Claims, name: string): string | undefined {
  const value = claimOf(claims, name)
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' && one !== '' ? one : undefined
}

/** The nick in the claims. An unverified email address is no nick (OpenID Connect Core §5.7). */
export function nickIn(claims: Claims): string | undefined {
  const { OIDC_USER_CLAIM } = env()
  // Some providers send the boolean as a string.
  if (OIDC_USER_CLAIM === 'email' && String(claims.email_verified) === 'false') return undefined
  const nick = claimOf(claims, OIDC_USER_CLAIM)
  return typeof nick === 'string' && nick !== '' ? nick : undefined
}

/** Whether the claims have every field that we use. If not, the userinfo endpoint may have more. */
export function isComplete(claims: Claims): boolean {
  const { OIDC_CREATE_USERS, OIDC_ROLE_CLAIM, OIDC_ENTERPRISE_CLAIM } = env()
  const wanted = ['name', 'email', ...(OIDC_CREATE_USERS ? [OIDC_ROLE_CLAIM, OIDC_ENTERPRISE_CLAIM] : [])]
  return nickIn(claims) !== undefined && wanted.every((name) => textOf(claims, name) !== undefined)
}

/** The profile in the claims. The nick is empty if no claim names it: a bound user needs none. */
function profileOf(claims: Claims): Profile {
  const { OIDC_ROLE_CLAIM, OIDC_ENTERPRISE_CLAIM } = env()
  return {
    nick: nickIn(claims) ?? '',
    name: textOf(claims, 'given_name') ?? textOf(claims, 'name'),
    surname: textOf(claims, 'family_name'),
    email: textOf(claims, 'email'),
    role: textOf(claims, OIDC_ROLE_CLAIM),
    enterprise: textOf(claims, OIDC_ENTERPRISE_CLAIM),
  }
}

/** The person who signs in. `issuer`: the namespace of the subject. */
export function personOf(claims: Claims, { issuer, subject }: { issuer: string; subject: string }): Newcomer {
  const { OIDC_CREATE_USERS: create, OIDC_LINK_EXISTING: link } = env()
  const profile = profileOf(claims)
  return { provider: 'OPENID', issuer, subject, nick: profile.nick, profile, create, link }
}
