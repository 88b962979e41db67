/* The problems of a sign-in at a provider, and the steps in which they occur. The sign-in page explains both. */

/** Problems of the user, which an administrator can fix. A retry must let the user choose another account at the provider. */
const problemsOfUsers = [
  'unknown-user',
  'inactive-user',
  /** The user with this nick is bound to another person at the provider. */
  'another-person',
  /** The user has a password here, and the settings forbid matching by nick (OIDC_LINK_EXISTING, SAML_LINK_EXISTING). */
  'not-linked',
  'no-role',
  /** A new user cannot have this nick. */
  'bad-nick',
] as const

export const isOfUser = (problem: string): boolean => problemsOfUsers.some((known) => known === problem)

export const signInProblems = ['unreachable', 'refused', 'expired', ...problemsOfUsers, 'invalid'] as const
export type Problem = (typeof signInProblems)[number]

/** The steps of a sign-in, in order. `answer`: the ID token or the SAML assertion. */
export const signInSteps = ['discovery', 'authorization', 'token', 'answer', 'userinfo', 'user'] as const
export type ProviderStep = (typeof signInSteps)[number]
