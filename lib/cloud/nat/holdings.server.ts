import { type RawBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { visibilityOf } from '#lib/caller/scopes/visibility.server'
import { findDatacenter, visibleDatacenters } from '#lib/cloud/infrastructure/datacenters.server'
import type { AddressHistoryQuery, NatIpHolding } from '#lib/cloud/nat/holdings.schema'
import { requireAddress } from '#lib/cloud/nat/ip-position.server'
import { listPath } from '#lib/cloud/nat/networks.server'
import { type Db, database } from '#lib/db/db.server'
import { isAmong, textIn } from '#lib/db/dialect.server'
import { fold } from '#lib/db/fold'
import { pageOf } from '#lib/db/list.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import { addressKey, formatAddress } from '#lib/ground/net/addresses'
import { momentAt, timeOf } from '#lib/record/events/moments.server'
import { visibleThings } from '#lib/record/events/places.server'
import type { Named } from '#lib/record/events/stored'

/* The holders of an address, read from the journal. All moments are in microseconds since 1970, as in the journal. */

type Address = { datacenters: readonly number[]; key: string }

/** The state of a NAT IP until a moment. The present state has no such moment; a NAT IP that did not exist has no holder. */
type State = {
  id: number
  until: number | null
  holder: number | null
  network: number | null
  datacenter: number | null
}

/**
 * `past_rows_address` finds deleted NAT IPs. One query, because of two one might have a change and the other not. `cross join` is the order
 * for SQLite, which would otherwise read all past rows of NAT IPs.
 */
async function statesOf(db: Db, { datacenters, key }: Address): Promise<State[]> {
  const { engine } = database()
  const was = (column: string) => textIn(engine, 'content', [column])
  const wasNumber = (column: string) => sql`cast(${was(column)} as bigint)`
  const isIn = (datacenter: RawBuilder<unknown>) => sql`${datacenter} in (${sql.join(datacenters)})`
  const { rows } = await sql<State>`
    with known (id) as (
      select id from nat_ips where ${isIn(sql`datacenter_id`)} and ip_key = ${key}
      union select id from past_rows where source = 'nat_ips' and ${was('virtual_datacenter_id')} is not null
        and ${was('ip_key')} = ${key} and ${isIn(wasNumber('datacenter_id'))})
    select known.id, until, ${wasNumber('virtual_datacenter_id')} as holder, ${wasNumber('nat_network_id')} as network,
      ${wasNumber('datacenter_id')} as datacenter
    from known cross join past_rows where source = 'nat_ips' and past_rows.id = known.id
    union all select known.id, null, virtual_datacenter_id, nat_network_id, datacenter_id
    from known cross join nat_ips where nat_ips.id = known.id`.execute(db)
  return rows
}

type Holding = {
  natIp: number
  datacenter: number
  network: number
  holder: number
  from: number
  /** Undefined: still. */
  to: number | undefined
}

/** The holdings of one NAT IP, oldest first. Its first known state counts from the beginning of the journal. */
function holdingsOf(states: readonly State[], beginning: number): Holding[] {
  const holdings: Holding[] = []
  let from = beginning
  for (const { id, until, holder, network, datacenter } of states.toSorted(
    (one, other) => endOf(one) - endOf(other),
  )) {
    const to = until ?? undefined
    const last = holdings.at(-1)
    if (last && last.to === from && last.holder === holder) last.to = to
    else if (holder !== null && network !== null && datacenter !== null)
      holdings.push({ natIp: id, datacenter, network, holder, from, to })
    from = endOf({ until })
  }
  return holdings
}

const endOf = ({ until }: Pick<State, 'until'>): number => until ?? Number.MAX_SAFE_INTEGER

type LastRow = { id: number; name: string; enterprise: number }

/** Rows as they are, and deleted ones as they last were. `enterprise` only of virtual datacenters. */
async function lastRows(
  db: Db,
  table: 'datacenters' | 'nat_networks' | 'virtual_datacenters' | 'enterprises',
  ids: ReadonlySet<number>,
): Promise<Map<number, LastRow>> {
  const { engine } = database()
  const among = (column: string) => isAmong(engine, column, [...ids])
  const hasEnterprise = table === 'virtual_datacenters'
  const [is, was] = hasEnterprise
    ? [sql`enterprise_id`, sql`cast(${textIn(engine, 'content', ['enterprise_id'])} as bigint)`]
    : [sql`0`, sql`0`]
  const { rows } = await sql<LastRow>`
    select id, ${textIn(engine, 'content', ['name'])} as name, ${was} as enterprise from past_rows
    where source = ${table} and ${among('id')} and content is not null and not exists (
      select 1 from past_rows later where later.source = past_rows.source and later.id = past_rows.id
        and later.part = past_rows.part and later.until > past_rows.until and later.content is not null)
    union all select id, name, ${is} from ${sql.table(table)} where ${among('id')}`.execute(db)
  // A present row comes after the past one and replaces it.
  return new Map(rows.map((row) => [row.id, row]))
}

type Shown = Holding & { networkName: string; place: LastRow; center: Named; enterprise: LastRow }

/** The holdings whose holder the caller sees, with the names. */
async function visibleHoldings({ caller, db }: ReadContext, holdings: readonly Holding[]): Promise<Shown[]> {
  const places = await lastRows(db, 'datacenters', new Set(holdings.map(({ datacenter }) => datacenter)))
  const networks = await lastRows(db, 'nat_networks', new Set(holdings.map(({ network }) => network)))
  const centers = await lastRows(db, 'virtual_datacenters', new Set(holdings.map(({ holder }) => holder)))
  const owners = new Set([...centers.values()].map(({ enterprise }) => enterprise))
  const enterprises = await lastRows(db, 'enterprises', owners)
  const shown = holdings.flatMap((holding) => {
    const [network, center] = [networks.get(holding.network), centers.get(holding.holder)]
    const enterprise = center && enterprises.get(center.enterprise)
    const place = places.get(holding.datacenter)
    if (!network || !enterprise || !place) return []
    const { id, name } = center
    const at = { enterprise: enterprise.id, datacenter: place.id }
    return {
      ...holding,
      networkName: network.name,
      place,
      center: { type: 'virtualdatacenter', id, name, at },
      enterprise,
    }
  })
  const sees = await visibleThings(
    db,
    caller,
    shown.map(({ center }) => center),
  )
  return shown.filter(({ center }) => sees(center))
}

type Attached = {
  moment: number
  /** The moment and the time of the event, of which this may be a further step. */
  began: number
  timestamp: number
  user_id: number | null
  user_nick: string | null
  enterprise_id: number | null
  entity_type: string
  entity_id: number | null
  about_datacenter_id: number | null
}

/** The events of these moments. A bulk change has the moments of its further steps too. */
async function eventsAt(db: Db, moments: number[]): Promise<Attached[]> {
  const { engine } = database()
  const columns = sql`events.moment as began, timestamp, user_id, user_nick, enterprise_id, entity_type, entity_id, about_datacenter_id`
  const { rows } = await sql<Attached>`
    select moment, ${columns} from events where ${isAmong(engine, 'moment', moments)}
    union all select event_steps.moment, ${columns} from event_steps join events on events.id = event_steps.event_id
    where ${isAmong(engine, 'event_steps.moment', moments)}`.execute(db)
  return rows
}

/** As in events: callers who see the user only now do not see who it was. */
const userOf = ({ user_id, enterprise_id }: Attached): Named[] =>
  user_id === null || enterprise_id === null
    ? []
    : [
        { type: 'enterprise', id: enterprise_id },
        { type: 'user', id: user_id, at: { enterprise: enterprise_id } },
      ]

/** Finds the nick of the user who began a holding, if the caller sees the user, and the times of the changes. */
async function changesOf({ caller, db }: ReadContext, holdings: readonly Holding[]) {
  const moments = holdings.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))
  const events = await eventsAt(db, [...new Set(moments)])
  const sees = await visibleThings(db, caller, events.flatMap(userOf))
  const byMoment = Map.groupBy(events, ({ moment }) => moment)
  // On PostgreSQL two transactions may have the same moment.
  const rank = (event: Attached, { natIp, datacenter }: Holding): number =>
    event.entity_type === 'natip' && event.entity_id === natIp
      ? 2
      : Number(event.about_datacenter_id === datacenter)
  const eventOf = (holding: Holding, moment: number) =>
    byMoment.get(moment)?.toSorted((one, other) => rank(other, holding) - rank(one, holding))[0]
  return {
    userOf: (holding: Holding): string | undefined => {
      const event = eventOf(holding, holding.from)
      return event && userOf(event).every(sees) ? (event.user_nick ?? undefined) : undefined
    },
    time: (holding: Holding, moment: number): string => {
      const event = eventOf(holding, moment)
      const began = event && { moment: event.began, timestamp: event.timestamp }
      return new Date(timeOf(moment, began)).toISOString()
    },
  }
}

/** The common data of all holdings of one answer. */
type About = Awaited<ReturnType<typeof changesOf>> & {
  ip: string
  beginning: number
}

function holdingView(holding: Shown, { ip, beginning, userOf, time }: About): NatIpHolding {
  const { datacenter, network, networkName, place, center, enterprise, from, to } = holding
  const user = from === beginning ? undefined : userOf(holding)
  return {
    links: [
      linkTo(kinds.natnetwork, { datacenter, id: network }, networkName),
      linkTo(kinds.virtualdatacenter, { id: center.id }, center.name),
      linkTo(kinds.enterprise, { id: enterprise.id }, enterprise.name),
      linkTo(kinds.datacenter, { id: datacenter }, place.name),
    ],
    ip,
    networkName,
    from: time(holding, from),
    ...(from === beginning && { fromEarlier: true }),
    ...(to !== undefined && { to: time(holding, to) }),
    ...(user !== undefined && { user }),
  }
}

/** As for `asof`. Throws ASOF-1, ASOF-2. */
async function momentOf(db: Db, at: number, beginning: number): Promise<number> {
  if (at > Date.now()) throw new ApiError(fault('ASOF-1', 'at is in the future', 'at'))
  const moment = await momentAt(db, at)
  if (moment < beginning) throw new ApiError(fault('ASOF-2', undefined, 'at'))
  return moment
}

/** The holdings of all NAT IPs that have or had the address, at a moment if one is given. */
async function holdingsAt(
  db: Db,
  address: Address,
  { beginning, moment }: { beginning: number; moment: number | undefined },
): Promise<Holding[]> {
  // Retention cuts the journal in steps, so remaining rows from before its beginning are incomplete and ignored.
  const states = (await statesOf(db, address)).filter(({ until }) => until === null || until > beginning)
  return [...Map.groupBy(states, ({ id }) => id).values()]
    .flatMap((own) => holdingsOf(own, beginning))
    .filter(({ from, to }) => moment === undefined || (from <= moment && (to === undefined || to > moment)))
}

const hasWord = ({ networkName, center, enterprise }: Shown, word: string): boolean =>
  [networkName, center.name ?? '', enterprise.name].some((name) => fold(name).includes(fold(word)))

/** The datacenter of the path, or all visible ones. Throws DC-0. */
async function placesOf(context: ReadContext, datacenter: number | undefined): Promise<number[]> {
  const { caller, db } = context
  if (datacenter !== undefined) return [(await findDatacenter(context, datacenter)).id]
  return (
    await visibleDatacenters(db, visibilityOf(caller)).clearSelect().select('datacenters.id').execute()
  ).map(({ id }) => id)
}

/**
 * The virtual datacenters that hold and held an address of the datacenter, or of all visible ones, also if the address is deleted. Throws DC-0,
 * CONSTR-PATTERN, ASOF-1, ASOF-2.
 */
export async function listHoldings({
  params,
  query,
  ...context
}: ReadContext & { params: { datacenter?: number }; query: AddressHistoryQuery }): Promise<Listing> {
  const { db } = context
  const { at } = query
  const datacenters = await placesOf(context, params.datacenter)
  const { version, value } = requireAddress(query.ip)
  const ip = formatAddress(version, value)
  const { moment: beginning } = await db
    .selectFrom('journal_beginning')
    .select('moment')
    .executeTakeFirstOrThrow()
  const moment = at === undefined ? undefined : await momentOf(db, at, beginning)
  const all =
    datacenters.length === 0
      ? []
      : await holdingsAt(db, { datacenters, key: addressKey(version, value) }, { beginning, moment })
  const down = query.asc ? 1 : -1
  const visible = (await visibleHoldings(context, all))
    .filter((holding) => hasWord(holding, query.has))
    .sort((one, other) => (one.from - other.from || one.natIp - other.natIp) * down)
  const paging = { ...query, ip, at: at && new Date(at).toISOString(), descends: true as const }
  const path = listPath(params, { ofNetwork: '', ofAll: 'addresshistory' })
  const { startwith, size, links, totalSize } = pageOf({ paging, path }, visible.length)
  const page = visible.slice(startwith, startwith + size)
  const about = { ip, beginning, ...(await changesOf(context, page)) }
  return { links, totalSize, collection: page.map((holding) => holdingView(holding, about)) }
}
