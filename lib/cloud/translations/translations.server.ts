import { sql } from 'kysely'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { knowsRanges, leftOutOf } from '#lib/cloud/translations/format.server'
import {
  changesOf,
  isSince,
  requireRevision,
  revisionOf,
  untilNewer,
} from '#lib/cloud/translations/revisions.server'
import type { NatTranslation, TranslationQuery } from '#lib/cloud/translations/translations.schema'
import { unconfirmedOf } from '#lib/cloud/translations/unconfirmed.server'
import { type Db, database } from '#lib/db/db.server'
import { CHUNK } from '#lib/db/list.server'
import { translationColumns } from '#lib/db/translation-log.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import type { Sections } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import type { Context } from '#lib/record/events/operation.server'

export type TranslationRow = {
  rule_id: number | null
  kind: string
  protocol: string | null
  nat_ip: string
  nat_port: number | null
  nat_port_end: number | null
  sources: string | null
  private_ip: string
  private_port: number | null
}

export const translationView = (row: TranslationRow): NatTranslation => ({
  ...(row.rule_id !== null && { rule: row.rule_id }),
  kind: row.kind as NatTranslation['kind'],
  ...(row.protocol !== null && { protocol: row.protocol as NonNullable<NatTranslation['protocol']> }),
  natIp: row.nat_ip,
  ...(row.nat_port !== null && { natPort: row.nat_port }),
  ...(row.nat_port_end !== null && { natPortEnd: row.nat_port_end }),
  ...(row.sources !== null && { sources: row.sources.split(',') }),
  privateIp: row.private_ip,
  ...(row.private_port !== null && { privatePort: row.private_port }),
})

export const rulesOf = (db: Db, device: number) =>
  db
    .selectFrom('nat_networks')
    .innerJoin('nat_rules', 'nat_rules.nat_network_id', 'nat_networks.id')
    .innerJoin('nat_ips', 'nat_ips.id', 'nat_rules.nat_ip_id')
    .innerJoin('private_ips', 'private_ips.id', 'nat_rules.private_ip_id')
    .where('nat_networks.device_id', '=', device)
    .where('nat_rules.disabled_at', 'is', null)
    .select([
      'nat_rules.id as rule_id',
      sql<string>`case nat_rules.snat when 1 then 'snat' else 'dnat' end`.as('kind'),
      'nat_rules.protocol',
      'nat_ips.ip as nat_ip',
      'nat_rules.original_port as nat_port',
      'nat_rules.original_port_end as nat_port_end',
      'nat_rules.sources',
      'private_ips.ip as private_ip',
      'nat_rules.translated_port as private_port',
    ])

/** The default SNAT of each private IP that no enabled SNAT rule covers. */
export const defaultsOf = (db: Db, device: number) =>
  db
    .selectFrom('nat_networks')
    .innerJoin('nat_ips', 'nat_ips.nat_network_id', 'nat_networks.id')
    .innerJoin('private_ips', 'private_ips.virtual_datacenter_id', 'nat_ips.virtual_datacenter_id')
    .where('nat_networks.device_id', '=', device)
    .where('nat_ips.default_snat', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('nat_rules')
            .whereRef('nat_rules.private_ip_id', '=', 'private_ips.id')
            .where('nat_rules.snat', '=', 1)
            .where('nat_rules.disabled_at', 'is', null)
            .select('nat_rules.id'),
        ),
      ),
    )
    .select([
      sql<null>`null`.as('rule_id'),
      sql<string>`'default'`.as('kind'),
      sql<null>`null`.as('protocol'),
      'nat_ips.ip as nat_ip',
      sql<null>`null`.as('nat_port'),
      sql<null>`null`.as('nat_port_end'),
      sql<null>`null`.as('sources'),
      'private_ips.ip as private_ip',
      sql<null>`null`.as('private_port'),
    ])

async function* batches(rows: AsyncIterable<TranslationRow>): AsyncGenerator<NatTranslation[]> {
  let batch: NatTranslation[] = []
  for await (const row of rows) {
    if (batch.push(translationView(row)) < CHUNK) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* all(device: number, formatVersion: number): AsyncGenerator<NatTranslation[]> {
  const { stream } = database()
  const rules = rulesOf(stream, device).$if(!knowsRanges(formatVersion), (all) =>
    all.where('nat_rules.original_port_end', 'is', null).where('nat_rules.sources', 'is', null),
  )
  yield* batches(rules.orderBy('nat_rules.id').stream(CHUNK))
  yield* batches(defaultsOf(stream, device).orderBy('private_ips.id').stream(CHUNK))
}

/** More changes than this are no difference any more: the gateway reads the whole. */
const MOST_CHANGES = 20_000

type Since = { device: number; revision: number; formatVersion: number }

async function differenceSince(db: Db, { device, revision, formatVersion }: Since) {
  const changed = changesOf(db, device).where(isSince(revision))
  const most = await changed.select('id').orderBy('id').offset(MOST_CHANGES).limit(1).executeTakeFirst()
  if (most) throw new ApiError('DEVICE-2')
  const net = sql<number>`sum(added)`
  const rows = await changed
    .$if(!knowsRanges(formatVersion), (all) =>
      all.where('nat_port_end', 'is', null).where('sources', 'is', null),
    )
    .groupBy(translationColumns)
    .having(net, '<>', 0)
    .select([...translationColumns, net.as('net')])
    .orderBy(sql`min(id)`)
    .execute()
  const views = (sign: 1 | -1) => rows.filter((row) => Math.sign(row.net) === sign).map(translationView)
  return { added: views(1), removed: views(-1) }
}

const etagOf = (revision: number): string => `"${revision}"`

/** The revision that the client has: of `since`, or of its ETag. */
const knownTo = (request: Exchange, { since }: TranslationQuery): number | undefined => {
  const tag = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(request.headers.get('if-none-match') ?? '')?.[1]
  return since ?? (tag === undefined ? undefined : Number(tag))
}

/** The device of the path. */
export type Device = { id: number; name: string; datacenter_id: number }

type Reading = Pick<Context, 'signedIn' | 'request' | 'presentCaller'> & {
  found: Device
  query: TranslationQuery
}

/**
 * The translations of a device, or their changes since a revision. The result may already contain changes of the next revision: a client
 * that asks for those gets them again. Throws DEVICE-2, and 429 or 503 if too many requests wait.
 */
export async function readTranslations({
  signedIn,
  presentCaller,
  found,
  query,
  request,
}: Reading): Promise<Sections> {
  const { read } = database()
  const { id } = found
  if (query.since !== undefined) await requireRevision(read, id, query.since)
  const known = knownTo(request, query)
  if (query.wait > 0) request.waits = true
  const revision = await newerThan(known, {
    device: id,
    user: signedIn,
    ms: query.wait * 1000,
    left: request.signal,
  })
  // The caller may have lost the right to read while waiting.
  if (query.wait > 0 && !(await presentCaller())) throw new ApiError('403-FORBIDDEN')
  const { formatVersion } = query
  const leftOut = await leftOutOf(read, id, formatVersion)
  const path = pathOf(kinds.device, { datacenter: found.datacenter_id, id })
  const head = {
    links: [
      link('self', `${path}/translations`, 'nattranslations'),
      link('device', path, 'device', found.name),
    ],
    revision,
    ...(leftOut > 0 && { leftOut }),
    ...(await goingBack(read, id, formatVersion)),
  }
  const tag = etagOf(revision)
  if (revision === known && (query.wait > 0 || query.since === undefined))
    return { tag, isUnchanged: true, head, sections: [] }
  if (query.since === undefined)
    return { tag, head, sections: [{ name: 'entries', items: all(id, formatVersion) }] }
  const { added, removed } = await differenceSince(read, {
    device: id,
    revision: query.since,
    formatVersion,
  })
  return {
    tag,
    head,
    sections: [
      { name: 'added', items: once(added) },
      { name: 'removed', items: once(removed) },
    ],
  }
}

/** The changes that are undone unless they are confirmed. Above a limit they are not listed: the gateway then waits for the API. */
async function goingBack(db: Db, device: number, formatVersion: number) {
  const one = await unconfirmedOf(db, device)
  if (!one) return {}
  const seconds = Math.max(0, Math.ceil((one.ends_at - Date.now()) / 1000))
  try {
    const { revision } = one
    return {
      unconfirmed: { seconds, ...(await differenceSince(db, { device, revision, formatVersion })) },
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { unconfirmed: { seconds } }
  }
}

async function* once(items: NatTranslation[]): AsyncGenerator<NatTranslation[]> {
  if (items.length > 0) yield items
}

type Wait = Omit<Parameters<typeof untilNewer>[0], 'revision'>

/** The revision, once it is newer or the time is over. */
async function newerThan(known: number | undefined, wait: Wait): Promise<number> {
  const { read } = database()
  const revision = await revisionOf(read, wait.device)
  if (revision !== known || wait.ms === 0) return revision
  await untilNewer({ ...wait, revision })
  return revisionOf(read, wait.device)
}
