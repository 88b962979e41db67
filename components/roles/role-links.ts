import { paths } from '#components/screens/paths'

/** The list of the users that have a role. */
export const usersOfRole = (role: number): string =>
  `${paths.users()}?${new URLSearchParams({ role: String(role) })}`

/** As many as fit side by side. */
export const mostCompared = 6

export const comparisonOf = (roles: readonly number[]): string =>
  `${paths.roles()}?${new URLSearchParams({ tab: 'compare', roles: roles.join(',') })}`

/** The roles that an address compares. */
export const comparedIn = (search: URLSearchParams): number[] => {
  const ids = (search.get('roles') ?? '').split(',').filter((text) => /^[1-9]\d{0,14}$/.test(text))
  return [...new Set(ids.map(Number))].slice(0, mostCompared)
}

/** A new role that begins as this one is. */
export const duplicateOf = (role: number): string =>
  `${paths.newRole()}?${new URLSearchParams({ from: String(role) })}`
