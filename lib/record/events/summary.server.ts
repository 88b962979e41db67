import { type RawBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, can, seesEverything } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { type Database, database } from '#lib/db/db.server'
import { textIn } from '#lib/db/dialect.server'
import { link } from '#lib/ground/http/view'
import { type EntityType, entityTypes, sessionActions } from '#lib/record/events/events.schema'
import { seesActor, viewerOf, visibleEvents } from '#lib/record/events/sight.server'
import type {
  DoneDocument,
  EventSummaryDocument,
  EventSummaryQuery,
  UserSummaryDocument,
} from '#lib/record/events/summary.schema'
import { holderless } from '#lib/record/events/touched.server'

/** The summary reads at most this many events, whatever the caller sees of them: about 100 ms of the scan thread. */
export const MOST_EVENTS = 20_000

const [HOUR, DAY] = [60 * 60 * 1000, 24 * 60 * 60 * 1000]
const MINUTE = 60 * 1000

/** A cached summary serves for an hour without a write. */
const startOf = (days: number): number => Math.floor(Date.now() / HOUR) * HOUR - days * DAY

/**
 * The time from which there are at most `MOST_EVENTS` events. Rounded up to the minute, so that it does not give the time of an
 * event that the caller cannot see.
 */
async function boundedFrom({ scan }: Database, caller: Caller, from: number): Promise<number> {
  const beyond = await scan
    .selectFrom('events')
    .where('timestamp', '>=', from)
    .$if(!can(caller, ['EVENTLOG_VIEW_ALL']), (events) =>
      events.where(({ or }) =>
        or({ enterprise_id: caller.enterpriseId, about_enterprise_id: caller.enterpriseId }),
      ),
    )
    .orderBy('timestamp', 'desc')
    .select('timestamp')
    .offset(MOST_EVENTS)
    .limit(1)
    .executeTakeFirst()
  return beyond ? (Math.floor(beyond.timestamp / MINUTE) + 1) * MINUTE : from
}

/**
 * Bulk changes, and the creation of a range of IPs, are one event with a number. Only callers who see everything, or the datacenter of
 * NAT IPs, see all of these rows, and those who do not see all enterprises not who holds the IPs: to others such an event counts as one.
 */
const amountOf = ({ engine }: Database, { scope }: Caller): RawBuilder<number> => {
  const number = (field: string) => textIn(engine, 'events.changes', [field, 'after'])
  const counted = seesEverything(scope) ? '%-%s' : '%-natips'
  const isCounted =
    seesEverything(scope) || scope.allEnterprises
      ? sql`events.action like ${sql.lit(counted)}`
      : sql`events.action in (${sql.join(holderless.map((action) => sql.lit(action)))})`
  return sql`case when ${isCounted}
    then cast(coalesce(${number('count')}, ${number('numips')}, '1') as bigint) else 1 end`
}

type SummaryRow = {
  user_id: number
  user_nick: string
  action: string
  entity_type: EntityType
  amount: number
  total: number
  users: number
  nick: string | null
  name: string | null
  surname: string | null
  enterprise_id: number
}

type Span = { from: number; users: number }

const summed = (on: Database, caller: Caller, { from, users }: Span) =>
  sql<SummaryRow>`with done as ${visibleEvents(on.scan, viewerOf(caller))
    .where('events.timestamp', '>=', from)
    .where('events.user_id', 'is not', null)
    .where('events.action', 'not in', sessionActions)
    .where(seesActor(caller))
    .select([
      'user_id',
      'user_nick',
      'enterprise_id',
      'action',
      'entity_type',
      amountOf(on, caller).as('amount'),
    ])},
    most as (select user_id, sum(amount) as total, count(*) over () as users from done
      group by user_id having sum(amount) > 0 order by total desc, user_id limit ${users})
    select done.user_id, max(user_nick) as user_nick, coalesce(max(users.enterprise_id), max(done.enterprise_id)) as enterprise_id, action, entity_type,
      cast(sum(amount) as bigint) as amount, cast(max(total) as bigint) as total, max(users) as users,
      max(nick) as nick, max(name) as name, max(surname) as surname
    from done join most on most.user_id = done.user_id left join users on users.id = done.user_id
    group by done.user_id, action, entity_type having sum(amount) > 0
    order by total desc, done.user_id, amount desc, action, entity_type`.compile(on.scan)

/** The users and their changes since then, most changes first. */
export async function readEventSummary({
  caller,
  query,
}: ReadContext & { query: EventSummaryQuery }): Promise<EventSummaryDocument> {
  const on = database()
  const from = await boundedFrom(on, caller, startOf(query.days))
  const asked = summed(on, caller, { from, users: query.users })
  const rows = await cachedUntilWrite(
    asked,
    (found) => found.length * 256,
    async () => (await on.scan.executeQuery(asked)).rows,
  )
  const time = new Date(from).toISOString()
  return {
    links: [link('events', `/events?from=${encodeURIComponent(time)}`, 'events')],
    from: time,
    totalUsers: Number(rows[0]?.users ?? 0),
    users: [...Map.groupBy(rows, ({ user_id }) => user_id).values()].map((own) =>
      userSummary(own, { from: time, named: can(caller, kinds.user.readers) }),
    ),
  }
}

type Shown = { from: string; named: boolean }

function userSummary(rows: readonly SummaryRow[], { from, named }: Shown): UserSummaryDocument {
  const [{ user_id: id, total, ...user }] = rows as [SummaryRow]
  const nick = user.nick ?? user.user_nick
  const name = [user.name, user.surname].filter(Boolean).join(' ')
  return {
    links: [
      ...(user.nick === null ? [] : [link('user', userPath(user.enterprise_id, id), 'user', nick)]),
      link('events', `/events?user=${id}&from=${encodeURIComponent(from)}`, 'events'),
    ],
    id,
    user: nick,
    ...(named && name && { name }),
    count: Number(total),
    changes: doneBy(rows),
  }
}

const userPath = (enterprise: number, id: number) => pathOf(kinds.user, { enterprise, id })

/** Bulk changes count as changes of their rows: `delete-natrules` of a datacenter is `delete` of NAT rules. */
function doneBy(rows: readonly SummaryRow[]): DoneDocument[] {
  const changes = new Map<string, DoneDocument>()
  for (const row of rows) {
    const { action, entityType } = ofRows(row)
    const key = `${action} ${entityType}`
    changes.set(key, { action, entityType, count: (changes.get(key)?.count ?? 0) + Number(row.amount) })
  }
  const nameOf = ({ action, entityType }: DoneDocument) => `${action} ${entityType}`
  return [...changes.values()].toSorted(
    (one, other) => other.count - one.count || (nameOf(one) < nameOf(other) ? -1 : 1),
  )
}

function ofRows({ action, entity_type }: SummaryRow): Omit<DoneDocument, 'count'> {
  const [, verb = action, kind] = /^([a-z]+)-([a-z]+)s$/.exec(action) ?? []
  const entityType = entityTypes.find((name) => name === kind)
  return entityType
    ? { action: verb === 'change' ? 'update' : verb, entityType }
    : { action, entityType: entity_type }
}
