/* What can go wrong with a sign-in at a provider, and where: the sign-in page says both in plain words. */

/** Those of the user, which an administrator can help. The provider would sign the same person in again without a question. */
const problemsOfUsers = [
  'unknown-user',
  'inactive-user',
  /** The user of this nick is bound to another person at the provider. */
  'another-person',
  /** The user has a password here, and such users are not matched by nick (OIDC_LINK_EXISTING, SAML_LINK_EXISTING). */
  'not-linked',
  'no-role',
  /** A new user cannot have this nick. */
  'bad-nick',
] as const

export const isOfUser = (problem: string): boolean => problemsOfUsers.some((known) => known === problem)

export const signInProblems = ['unreachable', 'refused', 'expired', ...problemsOfUsers, 'invalid'] as const
export type Problem = (typeof signInProblems)[number]

/** The steps of a sign-in, in their order. `answer`: the ID token, or the SAML assertion. */
export const signInSteps = ['discovery', 'authorization', 'token', 'answer', 'userinfo', 'user'] as const
export type Step = (typeof signInSteps)[number]
