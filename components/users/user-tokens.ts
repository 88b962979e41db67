import { lookup, type Token } from '#components/table/table-tokens'
import { type NamedKind, namedListQuery, namedQuery } from '#lib/identity/pickers.queries'
import type { Say } from '#lib/words/words'

/** What a list of users can be filtered by, beside text. */
export const userFilters = {
  enterprise: 'id',
  role: 'id',
  idScope: 'id',
  active: ['true', 'false'],
  locked: ['true', 'false'],
  twofactor: ['true', 'false'],
} as const

type Filter = keyof typeof userFilters

/** A filter by something that has a name, searched on the server. */
export const namedToken = <F extends string>(key: F, label: string, kind: NamedKind): Token<F> => ({
  key,
  label,
  search: (text) =>
    lookup(namedListQuery(kind, text), ({ collection }) =>
      collection.map(({ id, name }) => ({ value: String(id), label: name })),
    ),
  name: (value) => lookup(namedQuery(kind, Number(value)), ({ document }) => document.name),
})

const state = (key: Filter, label: string, yes: string, no: string): Token<Filter> => ({
  key,
  label,
  values: [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ],
})

/** The tokens of a list of users; `may` says which lists of names are open to the reader. */
export const userTokens = (
  say: Say<'users'>,
  may: Record<NamedKind, boolean>,
  { ofOneEnterprise = false } = {},
): Token<Filter>[] => [
  ...(may.enterprise && !ofOneEnterprise
    ? [namedToken('enterprise', say('list.enterprise'), 'enterprise')]
    : []),
  ...(may.role ? [namedToken('role', say('list.role'), 'role')] : []),
  ...(may.scope ? [namedToken('idScope', say('list.ownScope'), 'scope')] : []),
  state('active', say('list.active'), say('state.active'), say('state.disabled')),
  state('locked', say('list.locked'), say('state.locked'), say('state.open')),
  state('twofactor', say('list.twoFactor'), say('state.on'), say('state.off')),
]

/** What a list of roles can be filtered by, beside text. */
export const roleFilters = { identerprise: 'id', idScope: 'id' } as const

export const roleTokens = (
  say: Say<'roles.list'>,
  may: Record<NamedKind, boolean>,
): Token<keyof typeof roleFilters>[] => [
  ...(may.enterprise ? [namedToken('identerprise', say('enterprise'), 'enterprise')] : []),
  ...(may.scope ? [namedToken('idScope', say('scope'), 'scope')] : []),
]
