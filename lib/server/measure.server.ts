import { sql } from 'kysely'
import { assignableIps } from '#lib/cloud/nat/assignable.server'
import { dayIn } from '#lib/cloud/nat/set-asides.schema'
import { deviceStatuses } from '#lib/cloud/translations/translations.schema'
import { lastBackup } from '#lib/db/backup.server'
import { database } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import {
  setBackup,
  setBuild,
  setEndsDue,
  setGateways,
  setJobs,
  setOldestJob,
  setSeal,
  setSize,
} from '#lib/ground/metrics/metrics.server'
import { lastSeal } from '#lib/record/events/seals.server'
import { version } from '#lib/server/status.server'
import { endKinds } from '#lib/state/ends/end-kinds.server'

/* What a scrape reads from the database. */

const MINUTE = 60_000
let lastCounted = Number.NEGATIVE_INFINITY

/** Reads stored totals and counts the rest, on the scan connection and at most once a minute. */
async function countObjects(): Promise<void> {
  if (performance.now() < lastCounted + MINUTE) return
  const { rows } = await sql<{ kind: string; count: number }>`
    select 'nat-ips' as kind, coalesce(sum(ips), 0) as count from nat_counts
    union all select 'nat-ips-used', coalesce(sum(used_ips), 0) from nat_counts
    union all select 'nat-ips-assignable', coalesce(sum(${assignableIps} * 1.0), 0)
      from nat_counts join nat_networks on nat_networks.id = nat_counts.nat_network_id
    union all select 'nat-rules', coalesce(sum(snat_rules + dnat_rules), 0) from nat_counts
    union all select 'nat-networks', count(*) from nat_counts
    union all select 'nat-findings-set-aside', count(*) from nat_setasides where until_day >= ${dayIn(0)}
    union all select 'scopes', count(*) from scopes
    union all select 'enterprises', count(*) from enterprises
    union all select 'users', count(*) from users
    union all select 'sessions', count(*) from sessions
    union all select 'mails-waiting', count(*) from mails
    union all select 'webhooks-waiting', count(*) from webhook_deliveries where due_at is not null`.execute(
    database().scan,
  )
  lastCounted = performance.now()
  for (const { kind, count } of rows) setSize(kind, Number(count))
}

/** Those of devices with a gateway. */
const statuses = deviceStatuses.filter((status) => status !== 'unmanaged')

/** By the last event of each device, which is a second old at most. */
async function countGateways(): Promise<void> {
  const rows = await database()
    .read.selectFrom('device_states')
    .groupBy('shown_status')
    .select(({ fn }) => ['shown_status', fn.countAll().as('count')])
    .execute()
  const counts = new Map(rows.map(({ shown_status, count }) => [shown_status, Number(count)]))
  for (const status of statuses) setGateways(status, counts.get(status) ?? 0)
}

/** The time in which a failed job is reported (ms). */
const RECENT = 60 * MINUTE

async function countJobs(): Promise<void> {
  const { read } = database()
  const count = sql<number>`count(*)`.as('count')
  const [open, failed] = await Promise.all([
    read
      .selectFrom('jobs')
      .where('state', 'in', ['waiting', 'running'])
      .groupBy('state')
      .select(['state', count, sql<number>`min(created_at)`.as('oldest')])
      .execute(),
    read
      .selectFrom('jobs')
      .where('ended_at', '>', Date.now() - RECENT)
      .where('state', '=', 'failed')
      .select(count)
      .executeTakeFirstOrThrow(),
  ])
  const { waiting, running } = Object.fromEntries(open.map((row) => [row.state, row]))
  setJobs('waiting', Number(waiting?.count ?? 0))
  setJobs('running', Number(running?.count ?? 0))
  setJobs('failed', Number(failed.count))
  setOldestJob(waiting ? (Date.now() - Number(waiting.oldest)) / 1000 : 0)
}

/** By the indexes of the ends, without those that wait for a user who may make the change. */
async function countEnds(): Promise<void> {
  const now = Date.now()
  const each = Object.entries(endKinds).map(([kind, { table }]) =>
    database()
      .read.selectFrom(table)
      .where('ends_at', '<=', now)
      .where(
        sql<boolean>`not exists (select 1 from end_makers where end_makers.entity = ${kind}
          and end_makers.entity_id = ${sql.ref(`${table}.id`)} and end_makers.refused is not null)`,
      )
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('ends_at').as('first')])
      .executeTakeFirstOrThrow(),
  )
  const due = await Promise.all(each)
  setEndsDue({
    count: due.reduce((sum, { count }) => sum + Number(count), 0),
    seconds: (now - Math.min(now, ...due.map(({ first }) => Number(first ?? now)))) / 1000,
  })
}

async function showSeal(): Promise<void> {
  const seal = await lastSeal(database())
  if (seal) setSeal(seal)
}

/** Reads the figures of the database. Throws if it cannot be reached: then they stay as they were. */
export async function measure(): Promise<void> {
  setBuild(version)
  const { DATABASE_URL, DATA_DIR } = env()
  if (!DATABASE_URL) setBackup(lastBackup(DATA_DIR))
  await Promise.all([countObjects(), countGateways(), countJobs(), countEnds(), showSeal()])
}
