import type { SignInTrial } from '#lib/federation/mechanisms.schema'

const units: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** `1 hour 30 minutes`. */
export function lengthOf(seconds: number): string {
  let left = seconds
  const parts: string[] = []
  for (const [unit, length] of units) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.join(' ') || '0 seconds'
}

/** What a trial came to, and what that means. */
export type Verdict = { type: 'success' | 'warning' | 'error'; text: string; detail: string }

const nobody = 'Nobody would be signed in'

/** Which setting lets a provider make users. */
const createSetting = { OPENID: 'OIDC_CREATE_USERS', SAML: 'SAML_CREATE_USERS' }

export function verdictOf({ outcome, provider, user }: SignInTrial): Verdict {
  const nick = user?.nick ?? ''
  const verdicts: Record<SignInTrial['outcome'], Verdict> = {
    known: {
      type: 'success',
      text: `${nick} would be signed in`,
      detail: 'There is this user here. The name, e-mail, role and enterprise of the user stay as they are.',
    },
    followed: {
      type: 'success',
      text: `${nick} would be signed in`,
      detail:
        'There is this user here, made by this provider: what it says of name, e-mail and role would be taken over.',
    },
    created: {
      type: 'success',
      text: `${nick} would be signed in, as a new user`,
      detail: 'There is no such user here yet: one of this role and enterprise would be made.',
    },
    'unknown-user': {
      type: 'warning',
      text: nobody,
      detail: `There is no user ${nick} here, and ${createSetting[provider]} does not let the provider make one.`,
    },
    'inactive-user': {
      type: 'warning',
      text: nobody,
      detail: `There is a user ${nick} here who is disabled or locked, or may not sign in from your address.`,
    },
    'no-role': {
      type: 'warning',
      text: nobody,
      detail: 'A new user needs the names of a role and an enterprise that there are here.',
    },
    unreachable: { type: 'error', text: nobody, detail: 'The identity provider does not answer.' },
    refused: { type: 'error', text: nobody, detail: 'The identity provider did not sign anybody in.' },
    expired: { type: 'error', text: nobody, detail: 'The sign-in took too long. Begin again.' },
    invalid: {
      type: 'error',
      text: nobody,
      detail:
        'The answer of the identity provider could not be trusted, or names no user that could be one here.',
    },
  }
  return verdicts[outcome]
}
