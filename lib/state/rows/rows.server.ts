import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { pathOf as pathOfKind } from '#lib/caller/kinds/kind'
import { allKinds, kindNamed, kinds } from '#lib/caller/kinds/kinds'
import { chunksOf } from '#lib/db/chunks'
import type { Db } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { list, pageOf } from '#lib/db/list.server'
import type { Listing } from '#lib/ground/http/render.server'
import { type LinkDocument, link, type MediaName } from '#lib/ground/http/view'
import type { Change, EntityType } from '#lib/record/events/events.schema'
import { findEvent, readEvent } from '#lib/record/events/events.server'
import { visibleThings } from '#lib/record/events/places.server'
import type { EventRowQuery, EventRowView } from '#lib/record/events/rows.schema'
import { type Named, namedIn, type StoredChanges, shownChange } from '#lib/record/events/stored'
import { kindsOfMany, type Touched, touchedBy } from '#lib/record/events/touched.server'
import { type Changed, changedThings } from '#lib/state/rows/changed-rows.server'
import { addressesOf, fieldChanges, nameColumn } from '#lib/state/rows/fields.server'
import { pathOf, type Row } from '#lib/state/undo/resources'

/* The rows of an event (docs/api/events.md, "The rows of an event"): what it touched, one row for each resource. */

type Rows = ReadContext & { params: { event: number }; query: EventRowQuery }

/** Throws EVENT-0. */
export async function listEventRows({ params, query, ...context }: Rows): Promise<Listing> {
  const event = await findEvent(context, params.event)
  const path = `/events/${event.id}/rows`
  const many = kindsOfMany(event.action)
  if (!many) return onlyRow(context, { event: event.id, path, query })
  const { caller } = context
  const { has, entity } = query
  return list({
    from: (on) =>
      on
        .selectFrom(sql<Touched>`(${touchedBy(event, { caller, has, entity })})`.as('touched'))
        .select(['touched.source', 'touched.id', 'touched.until']),
    // The rows of one table need no sort.
    orders: { id: many.length > 1 ? ['touched.source', 'touched.until'] : ['touched.until'] },
    id: 'touched.id',
    paging: query,
    scans: true,
    views: (rows) => rowViews(context, rows),
    path,
  })
}

type Only = { event: number; path: string; query: EventRowQuery }

/** The row of an event about one resource. */
async function onlyRow(context: ReadContext, { event, path, query }: Only): Promise<Listing> {
  const { links, entityType, entityId, entityName, action, changes } = await readEvent({
    ...context,
    params: { event },
  })
  const isWanted =
    (query.entity === undefined || query.entity === entityType) && fold(entityName).includes(fold(query.has))
  const row: EventRowView = {
    links: links.filter(({ rel }) => rel === 'entity'),
    entityType,
    ...(entityId !== undefined && { entityId }),
    entityName,
    action,
    changes,
  }
  const page = pageOf({ paging: query, path }, isWanted ? 1 : 0)
  return { links: page.links, totalSize: page.totalSize, collection: isWanted ? [row] : [] }
}

async function rowViews(context: ReadContext, touched: Touched[]): Promise<EventRowView[]> {
  const { caller, db } = context
  const changed = await changedThings(db, touched)
  const holders = changed.flatMap(({ source, before, after }) =>
    source === 'nat_ips' ? [...holderOf(before), ...holderOf(after)] : [],
  )
  await addNames(db, holders)
  const seenHolders = new Set(holders.filter(await visibleThings(db, caller, holders)).map(({ id }) => id))
  const rows = changed
    .map((row) => (row.source === 'nat_ips' ? withSeenHolders(row, seenHolders) : row))
    .map((row) => ({
      ...row,
      changes: { ...fieldChanges(row.source, row.before, row.after), ...row.members },
      addresses: row.source === 'nat_rules' ? addressesOf({ ...row.before, ...row.after }) : [],
    }))
  const named = rows.flatMap(({ changes, addresses }) => [...namedIn(changes), ...addresses])
  await addNames(db, named)
  const sees = await visibleThings(db, caller, named)
  const machines = await machinesOf(db, rows)
  return rows.map(({ addresses, changes, ...row }) => {
    const name =
      addresses.length > 0
        ? addresses.map((ip) => (sees(ip) ? (ip.name ?? '') : '')).join(' → ')
        : String({ ...row.before, ...row.after }[nameColumn(row.kind.table)] ?? '')
    return {
      links: entityLink(row, { name, machines }),
      entityType: row.kind.name as EntityType,
      entityId: row.id,
      entityName: name,
      action: actionOf(row),
      changes: shownChanges(changes, sees),
    }
  })
}

const holderOf = (row: Row | null): Named[] =>
  row?.virtual_datacenter_id
    ? [{ type: kinds.virtualdatacenter.name, id: Number(row.virtual_datacenter_id) }]
    : []

/** A NAT IP without the holders that the caller does not see: to them it is not attached, and has no notes. */
function withSeenHolders(changed: Changed, seen: ReadonlySet<number>): Changed {
  const shown = (row: Row | null): Row | null =>
    row && row.virtual_datacenter_id !== null && !seen.has(Number(row.virtual_datacenter_id))
      ? { ...row, virtual_datacenter_id: null, description: '', tags: '[]', ends_at: null }
      : row
  return { ...changed, before: shown(changed.before), after: shown(changed.after) }
}

const shownChanges = (changes: StoredChanges, sees: (named: Named) => boolean): Map<string, Change> =>
  new Map(Object.entries(changes).map(([field, change]) => [field, shownChange(change, sees)]))

/** As the action of the event about this one. */
function actionOf({ source, before, after }: Changed): string {
  if (!before) return 'create'
  if (!after) return 'delete'
  const [was, is] = [before.virtual_datacenter_id, after.virtual_datacenter_id]
  if (source !== 'nat_ips' || was === is) return 'update'
  if (is === null) return 'release'
  return was === null ? 'attach' : 'update'
}

type Machine = { id: number; virtual_datacenter_id: number; virtual_appliance_id: number }

/** The machines of the rules that exist: the address of a rule is below its machine. */
async function machinesOf(db: Db, rows: readonly Changed[]): Promise<Map<number, Machine>> {
  const ids = rows.flatMap(({ source, present }) =>
    source === 'nat_rules' && present ? [Number(present.virtual_machine_id)] : [],
  )
  const found = new Map<number, Machine>()
  for (const some of chunksOf([...new Set(ids)]))
    for (const machine of await db
      .selectFrom('virtual_machines')
      .where('id', 'in', some)
      .select(['id', 'virtual_datacenter_id', 'virtual_appliance_id'])
      .execute())
      found.set(machine.id, machine)
  return found
}

type Linked = { name: string; machines: ReadonlyMap<number, Machine> }

/** Only what exists has an address. The rows are those that the caller sees now. */
function entityLink({ source, kind, id, present }: Changed, { name, machines }: Linked): LinkDocument[] {
  if (!present) return []
  const path =
    source === 'nat_rules'
      ? rulePath(id, machines.get(Number(present.virtual_machine_id)))
      : pathOf(source, present)
  return path === undefined ? [] : [link('entity', path, kind.name as MediaName, name)]
}

const rulePath = (id: number, machine: Machine | undefined): string | undefined =>
  machine &&
  pathOfKind(kinds.natrule, {
    id,
    virtualmachine: machine.id,
    virtualappliance: machine.virtual_appliance_id,
    virtualdatacenter: machine.virtual_datacenter_id,
  })

/** Adds the present names, or the last ones of what was deleted. */
async function addNames(db: Db, named: readonly Named[]): Promise<void> {
  for (const [type, some] of Map.groupBy(named, (each) => each.type)) {
    const table = type === 'devicetype' ? 'device_types' : kindNamed(type)?.table
    if (table === undefined) continue
    const known = await namesOf(
      db,
      table,
      some.map(({ id }) => id),
    )
    for (const each of some) Object.assign(each, known.get(each.id))
  }
}

type Known = Pick<Named, 'name' | 'at'>

/** As it last was. The place of what has no place of its own is not known. */
function lastOf(table: string, content: string | null): Known {
  const row = JSON.parse(content ?? '{}') as Row
  const name = String(row[nameColumn(table)])
  const { via, enterprise, datacenter } = allKinds.find((kind) => kind.table === table)?.place ?? {}
  if (via || !(enterprise || datacenter)) return { name }
  return {
    name,
    at: {
      ...(enterprise && { enterprise: Number(row[enterprise]) }),
      ...(datacenter && { datacenter: Number(row[datacenter]) }),
    },
  }
}

async function namesOf(db: Db, table: string, ids: readonly number[]): Promise<Map<number, Known>> {
  const names = new Map<number, Known>()
  for (const some of chunksOf([...new Set(ids)])) {
    const { rows } = await sql<{ id: number; name: string }>`select id, ${sql.ref(nameColumn(table))} as name
      from ${sql.table(table)} where id in (${sql.join(some)})`.execute(db)
    for (const { id, name } of rows) names.set(id, { name })
    const gone = some.filter((id) => !names.has(id))
    if (gone.length === 0) continue
    const last = await db
      .selectFrom('past_rows')
      .where('source', '=', table)
      .where('id', 'in', gone)
      .where('content', 'is not', null)
      .select(['id', 'content'])
      .orderBy('until')
      .execute()
    for (const { id, content } of last) names.set(id, lastOf(table, content))
  }
  return names
}
