import { namedToken, type Token } from '#components/table/table-tokens'
import type { NamedKind } from '#lib/client/pickers.queries'
import type { Say } from '#lib/words/words'

/** The filters of a list of users, beside text. */
export const userFilters = {
  enterprise: 'id',
  role: 'id',
  idScope: 'id',
  active: ['true', 'false'],
  locked: ['true', 'false'],
  twofactor: ['true', 'false'],
} as const

type Filter = keyof typeof userFilters

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
  may: Partial<Record<NamedKind, boolean>>,
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
