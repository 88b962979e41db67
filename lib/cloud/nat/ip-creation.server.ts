import { setImmediate } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import type { WriteContext } from '#lib/caller/auth/context.server'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { narrowBlock, natScopeOf, recount } from '#lib/cloud/nat/counts.server'
import { ipNotes } from '#lib/cloud/nat/ip-notes.server'
import { ipViews } from '#lib/cloud/nat/ip-views.server'
import type { IpsBulkInput, NatIpDocument, NatIpInput } from '#lib/cloud/nat/ips.schema'
import { ipDocument } from '#lib/cloud/nat/ips.server'
import type { NetworkRow } from '#lib/cloud/nat/networks.server'
import { countBefore } from '#lib/cloud/nat/positions.server'
import { chunksOf } from '#lib/db/chunks'
import type { Db, Trx } from '#lib/db/db.server'
import { FEW_ROWS, oneOf, statement, together } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'
import { formerId, retryIfTaken, unlessTaken } from '#lib/db/unique.server'
import { ApiError, about, fault } from '#lib/ground/http/errors'
import { pageLinks } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import {
  addressKey,
  addressOfKey,
  assignable,
  type Cidr,
  parseAddress,
  parseCidr,
} from '#lib/ground/net/addresses'
import type { Note } from '#lib/record/events/operation.server'

export type NewIps = Partial<Noted> & {
  /** The first address of the run. By default the lowest assignable one. */
  from?: string | undefined
  count: number
  available?: boolean | undefined
  quarantine?: boolean | undefined
}

type Network = { id: number; datacenter_id: number; cidr: string }

/** The first of the IPs that were created. */
type Created = { key: string; id: number }

const CHUNK = 1000

/** Usually the next address is free, so the first chunk of existing ones is small. */
const FIRST_TAKEN = 10

/**
 * Creates the lowest free run of addresses at or above `from`, all or nothing, and returns the key and the id of the first. Throws NAT-IP-9
 * if `from` is outside the network, NAT-IP-5 if there is no such run.
 */
export async function createIps(
  trx: Trx,
  network: Network,
  { from, count, available = true, quarantine = false, ...notes }: NewIps,
): Promise<Created> {
  const cidr = cidrOf(network)
  const wanted = from === undefined ? undefined : requireWithin(cidr, from, network.cidr)
  const key = (value: bigint) => addressKey(cidr.version, value)
  const { first, last } = assignable(cidr)
  const [firstFree, taken] = await together(
    firstFreeOf(trx, network.id),
    takenKeys(trx, {
      network: network.id,
      from: wanted === undefined ? undefined : key(wanted),
      last: key(last),
      limit: FIRST_TAKEN,
    }),
  )
  const lowest = firstFree === undefined || firstFree < first ? first : firstFree
  const start = await freeRun(trx, network.id, { from: wanted ?? lowest, last, count, key }, taken)
  // No address between the lowest free one and the run is free, so the next free one follows the run.
  const isLowest = wanted === undefined && (start === lowest || count === 1)
  const [id] = await together(
    retryIfTaken('nat_ips', insertRun(trx, network, { start, count, key, available, quarantine, ...notes })),
    isLowest
      ? keptFirstFree(trx, { network: network.id, key: key(start + BigInt(count)) })
      : Promise.resolve([]),
  )
  return { key: key(start), id }
}

function cidrOf({ cidr: text }: Network): Cidr {
  const cidr = parseCidr(text)
  if (!cidr) throw new ApiError('NAT-NET-5')
  return cidr
}

/** The address as a number. Throws NAT-IP-9. */
function requireWithin(cidr: Cidr, address: string, text: string): bigint {
  const parsed = parseAddress(address)
  if (!parsed || parsed.version !== cidr.version || parsed.value < cidr.first || parsed.value > cidr.last)
    throw new ApiError(fault('NAT-IP-9', `${address.slice(0, 64)} is outside ${text}`))
  return parsed.value
}

const storedFirstFree = statement('first free address', (db, { network }: { network: number }) =>
  db.selectFrom('nat_counts').where('nat_network_id', '=', network).select('first_free_key'),
)

const keptFirstFree = statement('new first free address', (db, { network, key }: OfNetwork) =>
  db.updateTable('nat_counts').set({ first_free_key: key }).where('nat_network_id', '=', network),
)

/** No address below this one is free. undefined: the network has no IPs yet. */
async function firstFreeOf(trx: Db, network: number): Promise<bigint | undefined> {
  const [row] = await storedFirstFree(trx, { network })
  const { first_free_key } = oneOf(row)
  return first_free_key === '' ? undefined : BigInt(`0x${first_free_key.slice(1)}`)
}

type Taken = { network: number; from: string | undefined; last: string; limit: number }

/** By default from the first free address. */
const takenKeys = statement('taken addresses', (db, { network, from, last, limit }: Taken) =>
  db
    .selectFrom('nat_ips')
    .where('nat_network_id', '=', network)
    .where(
      'ip_key',
      '>=',
      from ?? db.selectFrom('nat_counts').where('nat_network_id', '=', network).select('first_free_key'),
    )
    .where('ip_key', '<=', last)
    .select('ip_key')
    .orderBy('ip_key')
    .limit(limit),
)

type Run = { from: bigint; last: bigint; count: number; key: (value: bigint) => string }

/** The first gap of `count` addresses. Reads the existing ones in order and in chunks after the first ones. */
async function freeRun(
  trx: Trx,
  network: number,
  { from, last, count, key }: Run,
  first: { ip_key: string }[],
): Promise<bigint> {
  let candidate = from
  let free = 0n
  let longest = 0n
  const passGap = (end: bigint) => {
    const gap = end - candidate
    free += gap
    if (gap > longest) longest = gap
    return gap >= BigInt(count)
  }
  let taken = first
  let piece = FIRST_TAKEN
  while (candidate <= last) {
    for (const { ip_key } of taken) {
      const value = BigInt(`0x${ip_key.slice(1)}`)
      if (value < candidate) continue
      if (passGap(value)) return candidate
      candidate = value + 1n
    }
    if (taken.length < piece) break
    piece = CHUNK
    taken = await takenKeys(trx, { network, from: key(candidate), last: key(last), limit: piece })
  }
  if (candidate <= last && passGap(last + 1n)) return candidate
  throw new ApiError(noRoom(count, free, longest))
}

/** The message has the number of free addresses, so that the next attempt can succeed. */
function noRoom(count: number, free: bigint, longest: bigint) {
  if (count === 1 || free === 0n) return fault('NAT-IP-5')
  if (free < BigInt(count))
    return fault(
      'NAT-IP-5',
      `Only ${free} of the ${count} addresses are free. Ask for fewer, or choose another network`,
    )
  return fault(
    'NAT-IP-5',
    `${free} addresses are free, but at most ${longest} in a row. Ask for ${longest} or fewer`,
  )
}

const RUN_TAKEN = 1000

/**
 * The size of the run that a bulk creation finds for at most this many addresses: the longest gap among the next addresses, without
 * reading all of a large network.
 */
export async function nextRun(db: Db, network: Network, most: number): Promise<number> {
  const cidr = cidrOf(network)
  const { first, last } = assignable(cidr)
  const free = (await firstFreeOf(db, network.id)) ?? first
  let candidate = free < first ? first : free
  let longest = 0n
  const passGap = (end: bigint) => {
    if (end - candidate > longest) longest = end - candidate
    if (end >= candidate) candidate = end + 1n
  }
  const asked = { network: network.id, from: undefined, last: addressKey(cidr.version, last) }
  const taken = await takenKeys(db, { ...asked, limit: RUN_TAKEN })
  for (const { ip_key } of taken) passGap(BigInt(`0x${ip_key.slice(1)}`))
  if (taken.length < RUN_TAKEN) passGap(last + 1n)
  return longest < BigInt(most) ? Number(longest) : most
}

type NewRun = Partial<Noted> &
  Pick<Run, 'count' | 'key'> & { start: bigint; available: boolean; quarantine: boolean }

const insertRun = (trx: Trx, network: Network, { start, count, key, ...flags }: NewRun): Promise<number> =>
  insertIps(trx, network, {
    ...flags,
    keys: Array.from({ length: count }, (_, index) => key(start + BigInt(index))),
  })

type NewKeys = Partial<Noted> & { keys: readonly string[]; available: boolean; quarantine: boolean }

const insertedIps = statement(
  'new NAT IPs',
  (db, { rows }: { rows: Insertable<Tables['nat_ips']>[] }) =>
    db.insertInto('nat_ips').values(rows).returning('id'),
  FEW_ROWS,
)

/** Inserts the addresses and updates the totals. Returns the id of the first. */
async function insertIps(trx: Trx, network: Network, { keys, ...flags }: NewKeys): Promise<number> {
  const ip = {
    nat_network_id: network.id,
    datacenter_id: network.datacenter_id,
    virtual_datacenter_id: null,
    available: flags.available ? (1 as const) : (0 as const),
    quarantine: flags.quarantine ? (1 as const) : (0 as const),
    default_snat: 0 as const,
  }
  const noteColumns = ipNotes.written(flags)
  const insert = (some: readonly string[]) =>
    insertedIps(trx, {
      rows: some.map((ip_key) => ({
        ...ip,
        ...noteColumns,
        ip: addressOfKey(ip_key),
        ip_key,
        ...formerId(trx, 'nat_ips'),
      })),
    })
  const chunks = chunksOf(keys, CHUNK)
  const last = chunks.pop() ?? []
  const inserted: { id: number }[] = []
  for (const some of chunks) {
    inserted.push(...(await insert(some)))
    // SQLite writes on the main thread. Other requests run between the chunks.
    await setImmediate()
  }
  // The totals come last, because `assignable` depends on the addresses that are there.
  const [rest] = await together(insert(last), recount(trx, { after: [{ ...ip, keys }] }))
  return oneOf(inserted[0] ?? rest[0]).id
}

type OfNetwork = { network: number; key: string }

type Creating = WriteContext & { found: NetworkRow }

/** Creates one IP: the requested address, or the lowest free one. Throws NAT-IP-5, -9, -10. */
async function createIp({ caller, db, found: network, body }: Creating & { body: NatIpInput }) {
  const { ip, ...fields } = body
  const { id } =
    ip === undefined
      ? await about('ip', createIps(db, network, { count: 1, ...fields }))
      : await createOne(db, network, { ...body, ip })
  return ipDocument({ caller, db }, id)
}

async function createOne(
  trx: Trx,
  network: Network,
  { ip, ...fields }: NatIpInput & { ip: string },
): Promise<Created> {
  const cidr = cidrOf(network)
  const start = requireWithin(cidr, ip, network.cidr)
  const key = addressKey(cidr.version, start)
  const run = { start, count: 1, key: () => key, ...fields }
  return { key, id: await unlessTaken('nat_ips', 'NAT-IP-10', insertRun(trx, network, run)) }
}

/** Creates these addresses, all or nothing. Throws NAT-IP-9, NAT-IP-10. */
export async function createListedIps(
  trx: Trx,
  network: Network,
  ips: readonly { ip: string; available: boolean; quarantine: boolean }[],
): Promise<void> {
  const cidr = cidrOf(network)
  const alike = Map.groupBy(ips, ({ available, quarantine }) => `${available} ${quarantine}`)
  for (const some of alike.values()) {
    const keys = some.map(({ ip }) => addressKey(cidr.version, requireWithin(cidr, ip, network.cidr)))
    const { available = true, quarantine = false } = some[0] ?? {}
    const inserted = insertIps(trx, network, { keys, available, quarantine })
    await unlessTaken('nat_ips', 'NAT-IP-10', inserted)
  }
}

const SHOWN = 25

/** Creates a run of NAT IPs. The answer is their first page. Its links continue through the list of the network's IPs. */
async function createIpRun({
  caller,
  db,
  found: network,
  body,
  note,
}: Creating & { body: IpsBulkInput; note: Note }): Promise<Listing> {
  const { ip: from, numips: count, ...fields } = body
  const { key } = await about('numips', createIps(db, network, { from, count, ...fields }))
  note('numips', undefined, String(count))
  note('ip', undefined, addressOfKey(key))
  const ids = await db
    .selectFrom('nat_ips')
    .where('nat_network_id', '=', network.id)
    .where('ip_key', '>=', key)
    .orderBy('ip_key')
    .limit(Math.min(count, SHOWN))
    .select('id')
    .execute()
  const before = await ipsBefore(db, network, key)
  const path = collectionOf(kinds.natip, { datacenter: network.datacenter_id, natnetwork: network.id })
  const paging = { all: true, startwith: before, limit: SHOWN, has: '', by: 'ip', asc: true }
  return {
    links: pageLinks(path, paging, before + count),
    totalSize: count,
    collection: await ipViews({ caller, db }, ids),
  }
}

/** The number of IPs of the network below this address. */
async function ipsBefore(db: Trx, { id, datacenter_id }: Network, key: string): Promise<number> {
  const place = natScopeOf([{ id: datacenter_id }], id)
  const ahead = await countBefore(db, { place, counted: 'ips' }, key)
  const { ips } = await db
    .selectFrom('nat_ips')
    .where('nat_network_id', '=', id)
    .where('ip_key', '>=', narrowBlock(key))
    .where('ip_key', '<', key)
    .select((select) => select.fn.countAll<number>().as('ips'))
    .executeTakeFirstOrThrow()
  return ahead + Number(ips)
}

export const createIpOrRun = (
  context: Creating & { body: NatIpInput | IpsBulkInput; note: Note },
): Promise<NatIpDocument | Listing> =>
  'numips' in context.body
    ? createIpRun({ ...context, body: context.body })
    : createIp({ ...context, body: context.body })
