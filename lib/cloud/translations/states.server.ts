import { sql } from 'kysely'
import type { Change, ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { leftOutOf } from '#lib/cloud/translations/format.server'
import { revisionOf } from '#lib/cloud/translations/revisions.server'
import { type Reported, SILENT, statusOf } from '#lib/cloud/translations/status'
import type {
  DeviceStateDocument,
  DeviceStateInput,
  DeviceStatus,
} from '#lib/cloud/translations/translations.schema'
import type { Device } from '#lib/cloud/translations/translations.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { link } from '#lib/ground/http/view'
import { inRounds } from '#lib/ground/rounds.server'
import { insertEvent } from '#lib/record/events/record.server'

/* The reports of gateways about their devices. */

const stateOf = (db: Db, device: number) =>
  db.selectFrom('device_states').where('device_id', '=', device).selectAll().executeTakeFirst()

type StateRow = NonNullable<Awaited<ReturnType<typeof stateOf>>>

const NOTHING = '[]'

const reportedBy = (
  row: Pick<StateRow, 'revision' | 'seconds' | 'reported_at' | 'drift' | 'refused'>,
  leftOut: number,
): Reported => ({
  revision: row.revision,
  seconds: row.seconds,
  reported_at: row.reported_at,
  hasDrift: row.drift !== NOTHING,
  hasRefused: row.refused !== NOTHING,
  isOutdated: leftOut > 0,
})

/** Counters in one document; the rules themselves show all of them. */
const SHOWN = 1000

const countersOf = (db: Db, device: number) =>
  db
    .selectFrom('nat_networks')
    .innerJoin('nat_rules', 'nat_rules.nat_network_id', 'nat_networks.id')
    .innerJoin('device_rules', 'device_rules.rule_id', 'nat_rules.id')
    .where('nat_networks.device_id', '=', device)
    .select(['device_rules.rule_id as rule', 'device_rules.packets', 'device_rules.bytes'])
    .orderBy('device_rules.rule_id')
    .limit(SHOWN)
    .execute()

export async function stateView(device: Device, { db }: ReadContext): Promise<DeviceStateDocument> {
  const path = pathOf(kinds.device, { datacenter: device.datacenter_id, id: device.id })
  const links = [link('edit', `${path}/state`, 'devicestate'), link('device', path, 'device', device.name)]
  const row = await stateOf(db, device.id)
  if (!row) return { links, status: 'unmanaged' }
  const { revision, translations } = row
  const newestRevision = await revisionOf(db, device.id)
  const leftOut = await leftOutOf(db, device.id, row.format_version)
  return {
    links,
    revision,
    newestRevision,
    mode: row.mode as NonNullable<DeviceStateDocument['mode']>,
    interval: row.seconds,
    translations,
    drift: JSON.parse(row.drift),
    refused: JSON.parse(row.refused),
    counters: await countersOf(db, device.id),
    agent: JSON.parse(row.agent),
    formatVersion: row.format_version,
    ...(leftOut > 0 && { leftOut }),
    reported: new Date(row.reported_at).toISOString(),
    status: statusOf(reportedBy(row, leftOut), newestRevision),
  }
}

type Reporting = Pick<Change<Device, DeviceStateInput>, 'caller' | 'db' | 'found' | 'body'> & {
  request?: Exchange
}

/** Keeps a report. Rules of other devices in it are ignored. A change of the status is an event. */
export async function report({ caller, db, found, body, request }: Reporting): Promise<void> {
  const before = await stateOf(db, found.id)
  const { drift, refused } = body
  const row = {
    revision: body.revision,
    mode: body.mode,
    seconds: body.interval,
    translations: body.translations,
    drift: JSON.stringify(drift),
    refused: JSON.stringify(refused),
    agent: JSON.stringify(body.agent),
    format_version: body.formatVersion,
    reported_at: Date.now(),
  }
  const leftOut = await leftOutOf(db, found.id, body.formatVersion)
  const status = statusOf(reportedBy(row, leftOut), await revisionOf(db, found.id))
  await db
    .insertInto('device_states')
    .values({ device_id: found.id, ...row, shown_status: status })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet({ ...row, shown_status: status }))
    .execute()
  await keepCounters(db, found.id, body.counters)
  await keepFaults(db, found.id, { drifted: drift, refused })
  const was = before?.shown_status ?? 'unmanaged'
  if (was !== status) await noteStatus(db, found, { was, status, by: caller, ...(request && { request }) })
}

/** The rules among these that the device has. */
async function rulesOf(db: Trx, device: number, rules: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('nat_rules')
    .innerJoin('nat_networks', 'nat_networks.id', 'nat_rules.nat_network_id')
    .where('nat_rules.id', 'in', rules)
    .where('nat_networks.device_id', '=', device)
    .select('nat_rules.id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

type Counter = { rule: number; packets: number; bytes: number }

/** Unchanged counters are not written. */
async function keepCounters(db: Trx, device: number, counters: readonly Counter[]): Promise<void> {
  const last = new Map(counters.map((each) => [each.rule, each]))
  for (const some of chunksOf([...last.values()])) {
    const own = await rulesOf(
      db,
      device,
      some.map(({ rule }) => rule),
    )
    const rows = some
      .filter(({ rule }) => own.has(rule))
      .map(({ rule: rule_id, packets, bytes }) => ({ rule_id, device_id: device, packets, bytes }))
    if (rows.length === 0) continue
    await db
      .insertInto('device_rules')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('rule_id')
          .doUpdateSet(({ ref }) => ({ packets: ref('excluded.packets'), bytes: ref('excluded.bytes') }))
          .where(({ eb, or, ref }) =>
            or([
              eb('device_rules.packets', '<>', ref('excluded.packets')),
              eb('device_rules.bytes', '<>', ref('excluded.bytes')),
            ]),
          ),
      )
      .execute()
  }
}

type Faults = Record<'drifted' | 'refused', { rule?: number | undefined }[]>

/** A rule that is refused and drifted is refused. */
async function keepFaults(db: Trx, device: number, { drifted, refused }: Faults): Promise<void> {
  const faults = new Map<number, keyof Faults>()
  for (const { rule } of drifted) if (rule !== undefined) faults.set(rule, 'drifted')
  for (const { rule } of refused) if (rule !== undefined) faults.set(rule, 'refused')
  await db
    .updateTable('device_rules')
    .set({ fault: null })
    .where('device_id', '=', device)
    .where('fault', 'is not', null)
    .execute()
  for (const some of chunksOf([...faults])) {
    const own = await rulesOf(
      db,
      device,
      some.map(([rule]) => rule),
    )
    const rows = some
      .filter(([rule]) => own.has(rule))
      .map(([rule_id, fault]) => ({ rule_id, device_id: device, packets: 0, bytes: 0, fault }))
    if (rows.length === 0) continue
    await db
      .insertInto('device_rules')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('rule_id').doUpdateSet(({ ref }) => ({ fault: ref('excluded.fault') })),
      )
      .execute()
  }
}

type StatusChange = { was: string; status: DeviceStatus; by: Caller | undefined; request?: Exchange }

const noteStatus = (
  trx: Trx,
  { id, name, datacenter_id }: Device,
  { was, status, by, request }: StatusChange,
): Promise<number> =>
  insertEvent(trx, {
    ...(request && { request }),
    action: 'change-status',
    changes: { status: { before: was, after: status } },
    by,
    entity: {
      type: 'device',
      id,
      name,
      path: pathOf(kinds.device, { datacenter: datacenter_id, id }),
      place: { datacenter: datacenter_id },
    },
  })

const fellSilent = (db: Db) =>
  db
    .selectFrom('device_states')
    .innerJoin('devices', 'devices.id', 'device_states.device_id')
    .where('shown_status', '<>', 'silent')
    .where(sql<number>`reported_at + seconds * ${SILENT * 1000}`, '<', Date.now())
    .select([
      'devices.id',
      'devices.name',
      'devices.datacenter_id',
      'device_states.reported_at',
      'shown_status as was',
    ])
    .execute()

/** Records an event for each gateway that fell silent, once, whichever process sees it. */
export async function noteSilent(): Promise<void> {
  for (const { reported_at, was, ...device } of await fellSilent(database().read))
    await transaction(async (trx) => {
      const noted = await trx
        .updateTable('device_states')
        .set({ shown_status: 'silent' })
        .where('device_id', '=', device.id)
        .where('reported_at', '=', reported_at)
        .where('shown_status', '=', was)
        .returning('device_id')
        .executeTakeFirst()
      if (noted) await noteStatus(trx, device, { was, status: 'silent', by: undefined })
    })
}

export const keepNotingSilence = (): NodeJS.Timeout =>
  inRounds(1000, 'silent gateways could not be noted', noteSilent)
