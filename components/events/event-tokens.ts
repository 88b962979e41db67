import { lookup, namedToken, type Token } from '#components/table/table-tokens'
import { userQuery, usersQuery } from '#lib/people/identity/users.queries'
import { entityTypes } from '#lib/record/events/events.schema'
import type { Say } from '#lib/words/words'
import { knownActions } from './sentence'

/** Whether the reader may list users and enterprises, and so find them by name instead of by id. */
type Reader = { locale: string; users: boolean; enterprises: boolean }

const found = 10

/** The filters of the list of events. */
export function eventTokens(say: Say<'events'>, { locale, users, enterprises }: Reader): Token[] {
  const { compare } = new Intl.Collator(locale)
  const byLabel = (values: { value: string; label: string }[]) =>
    values.sort((one, other) => compare(one.label, other.label))
  const user = { key: 'user', label: say('tokens.user') }
  const enterprise = { key: 'enterprise', label: say('tokens.enterprise') }
  return [
    users ? { ...user, ...usersByNick } : user,
    enterprises ? namedToken('enterprise', enterprise.label, 'enterprise') : enterprise,
    {
      key: 'entity',
      label: say('tokens.entity'),
      values: byLabel(entityTypes.map((value) => ({ value, label: say(`kinds.${value}`) }))),
    },
    { key: 'entityid', label: say('tokens.entityid') },
    {
      key: 'action',
      label: say('tokens.action'),
      values: byLabel(knownActions.map((value) => ({ value, label: say(`actions.${value}`) }))),
    },
  ]
}

const usersByNick = {
  search: (has: string) =>
    lookup(usersQuery(undefined, { has, by: 'nick', limit: found }), ({ collection }) =>
      collection.map(({ id, nick }) => ({ value: String(id), label: nick })),
    ),
  name: (id: string) => lookup(userQuery(undefined, Number(id)), ({ document }) => document.nick),
}
