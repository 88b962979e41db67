import type { ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { findVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { attachIps, clearDefaultSnat } from '#lib/cloud/nat/attachments.server'
import { countedColumns } from '#lib/cloud/nat/counts.server'
import { createListedIps } from '#lib/cloud/nat/ip-creation.server'
import { setIpNotes } from '#lib/cloud/nat/ip-notes.server'
import { releaseManyIps, removeManyIps, setManyIps } from '#lib/cloud/nat/many-ips.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { addressKeyOf } from '#lib/ground/net/addresses'
import {
  change,
  perform,
  type Reconciling,
  type Several,
  underIds,
  type Way,
  type Wished,
} from '#lib/state/reconcile/steps.server'

/* NAT IPs, which come by the thousand. */

type Network = { id: number; datacenter_id: number; cidr: string }
type Flags = { available: boolean; quarantine: boolean }

export type IpWish = Wished & {
  kind: typeof kinds.natip
  /** Found when the step runs: an earlier step may have made it. `key`: equal for the same network. */
  network: { key: string; find: () => Promise<Network> }
  ip: string
  /** `holder`: the virtual datacenter, if the caller sees it. Otherwise the IP appears as not attached. */
  is: (Flags & { defaultSnat: boolean; holder: number | null; ends: string }) | null
  /** Missing members keep their values. */
  should:
    | (Flags & {
        defaultSnat?: boolean | undefined
        holder?: Holder | null | undefined
        notes?: Noted | undefined
        ends?: string
      })
    | null
}

/** A virtual datacenter, found in the datacenter of the network when the step runs; `present` is the one that holds the IP. */
type Holder = { key: string; find: (network: Network, present: number | null) => Promise<number> }

const areSame = (one: Flags, other: Flags): boolean =>
  one.available === other.available && one.quarantine === other.quarantine

/** An IP that gets a virtual datacenter is usable at first, and an existing one is not withdrawn before it has its rules. */
function flagsAtFirst({ is, should }: IpWish): Flags {
  const { available, quarantine, holder } = should ?? { available: true, quarantine: false }
  if (holder) return { available: true, quarantine: false }
  if (!is) return { available, quarantine }
  return { available: available || is.available, quarantine: quarantine && is.quarantine }
}

/** An IP that gets another virtual datacenter is no longer the default SNAT. */
const changesDefault = ({ is, should }: IpWish): boolean =>
  should?.defaultSnat !== undefined &&
  should.defaultSnat !== (is?.defaultSnat === true && should.holder === undefined)

/** An IP that gets another virtual datacenter has no end. */
const changesEnd = ({ is, should }: IpWish): boolean =>
  should?.ends !== undefined && should.ends !== (should.holder === undefined ? (is?.ends ?? '') : '')

export const ipWays = {
  remove: {
    of: ({ should }) => !should,
    alike: ({ network, is }) => JSON.stringify([network.key, is?.holder]),
    action: () => 'delete-natips',
    run: removeIps,
  },
  save: {
    of: ({ should }) => should,
    alike: (wish) => {
      const { network, is, should } = wish
      if (changesDefault(wish) || changesEnd(wish)) return undefined
      const move = should?.holder !== undefined && [is?.holder, should.holder?.key]
      const flags = flagsAtFirst(wish)
      const set = (!is || !areSame(is, flags)) && flags
      const notes = should?.notes
      return set || move || notes ? JSON.stringify([network.key, is !== null, set, move, notes]) : null
    },
    action: ({ is }) => (is ? 'change-natips' : 'create-natips'),
    run: saveIps,
  },
  /** After their rules were created. They keep their virtual datacenter. */
  withdraw: {
    of: (wish) => wish.should && !areSame(wish.should, flagsAtFirst(wish)),
    alike: ({ network, should }) => JSON.stringify([network.key, should?.available, should?.quarantine]),
    action: () => 'change-natips',
    run: async (context, wishes) => {
      const { available = true, quarantine = false } = { ...wishes[0].should }
      await setIps(await changingOf(context, wishes), { available, quarantine })
    },
  },
} as const satisfies Record<string, Way<IpWish>>

/** The rows of the NAT IPs with these addresses. Throws NAT-IP-0 for the first that is missing. */
export async function ipsAt({ db }: ReadContext, network: number, ips: readonly string[]) {
  const keys = ips.map((ip) => addressKeyOf(ip) ?? '')
  const found = await db
    .selectFrom('nat_ips')
    .where('nat_network_id', '=', network)
    .where('ip_key', 'in', keys)
    .select(['id', 'ip', ...countedColumns])
    .execute()
  const rows = new Map(found.map((row) => [row.ip, row]))
  const rowOf = (ip: string) => {
    const row = rows.get(ip)
    if (!row) throw new ApiError(fault('NAT-IP-0', `There is no NAT IP ${ip} in this network`))
    return row
  }
  for (const ip of ips) rowOf(ip)
  return rowOf
}

/** NAT IPs of one network that are changed alike, by the operations of one. */
type Changing = Awaited<ReturnType<typeof changingOf>>

async function changingOf(context: Reconciling, wishes: Several<IpWish>) {
  const [first, ...others] = wishes
  const network = await first.network.find()
  const path = collectionOf(kinds.natip, { datacenter: network.datacenter_id, natnetwork: network.id })
  /** As they are now. */
  const rows = async () => {
    const ips = wishes.map(({ ip }) => ip)
    const rowOf = await ipsAt(context, network.id, ips)
    return [rowOf(first.ip), ...others.map(({ ip }) => rowOf(ip))] as const
  }
  return { context, wishes, first, network, path, rows }
}

async function setIps(changing: Changing, flags: Flags): Promise<void> {
  const { context, path, rows } = changing
  const all = await rows()
  const [{ id, available, quarantine }] = all
  if (areSame({ available: available === 1, quarantine: quarantine === 1 }, flags)) return
  await change(changing, { method: 'PUT', path: `${path}/${id}`, document: flags }, () =>
    setManyIps(context.db, all, flags),
  )
}

const natIpsOf = (center: number): string => `${pathOf(kinds.virtualdatacenter, { id: center })}/natips`

/** Only an undo may leave a virtual datacenter without its default SNAT (docs/api/undo.md, "Undo"). */
async function releaseIps(changing: Changing, center: number): Promise<void> {
  const { context, rows } = changing
  if (context.restores)
    for (const { id, default_snat } of await rows())
      if (default_snat === 1) await clearDefaultSnat(context.db, id)
  const all = await rows()
  await change(changing, { method: 'PUT', path: `${natIpsOf(center)}/purchased/${all[0].id}` }, async () => {
    await findVirtualDatacenter(context, center)
    if (all.some((row) => row.virtual_datacenter_id !== center)) throw new ApiError('NAT-IP-8')
    await releaseManyIps(context.db, all)
  })
}

async function removeIps(context: Reconciling, wishes: Several<IpWish>): Promise<void> {
  const changing = await changingOf(context, wishes)
  const { first, path, rows } = changing
  if (first.is && first.is.holder !== null) await releaseIps(changing, first.is.holder)
  const all = await rows()
  await change(changing, { method: 'DELETE', path: `${path}/${all[0].id}` }, () =>
    removeManyIps(context.db, all),
  )
}

async function saveIps(context: Reconciling, wishes: Several<IpWish>): Promise<void> {
  const changing = await changingOf(context, wishes)
  const { first, network, path } = changing
  const flags = flagsAtFirst(first)
  const create = () =>
    change(changing, { method: 'POST', path, document: { ip: first.ip, ...flags } }, () =>
      createListedIps(
        context.db,
        network,
        wishes.map(({ ip }) => ({ ip, ...flags })),
      ),
    )
  await (first.is ? setIps(changing, flags) : underIds(changing, create))
  if (first.should?.holder !== undefined) await moveIps(changing, first.should.holder)
  if (changesDefault(first)) await setDefault(changing)
  if (changesEnd(first)) await setEnd(changing)
  if (first.should?.notes) await noteIps(changing, first.should.notes)
}

/** After a release, which removes them. Who moves an IP changes its notes where it is then. */
async function noteIps(changing: Changing, notes: Noted): Promise<void> {
  const { context, first, path, rows } = changing
  const all = await rows()
  const [{ id, available, quarantine, default_snat, virtual_datacenter_id: center }] = all
  const inner =
    first.should?.holder && center !== null
      ? { path: `${natIpsOf(center)}/${id}`, document: { defaultSnat: default_snat === 1, ...notes } }
      : {
          path: `${path}/${id}`,
          document: { available: available === 1, quarantine: quarantine === 1, ...notes },
        }
  const ids = all.map((row) => row.id)
  await change(changing, { method: 'PUT', ...inner }, () => setIpNotes(context.db, ids, notes))
}

async function moveIps(changing: Changing, wanted: Holder | null): Promise<void> {
  const { context, first, network, rows } = changing
  const all = await rows()
  const [{ id }] = all
  const present = first.is?.holder ?? null
  const center = wanted && (await wanted.find(network, present))
  if (present !== null && present !== center) await releaseIps(changing, present)
  if (center === null || present === center) return
  const to = { network: network.id, virtualDatacenter: center }
  await change(changing, { method: 'PUT', path: `${natIpsOf(center)}/topurchase/${id}` }, () =>
    attachIps(
      context.db,
      to,
      all.map((row) => row.id),
    ),
  )
}

/** The default SNAT of its virtual datacenter, or no longer. */
async function setDefault({ context, first, rows }: Changing): Promise<void> {
  const [{ id, default_snat, virtual_datacenter_id }] = await rows()
  const hasMoved = first.should?.holder !== undefined
  const center = hasMoved ? virtual_datacenter_id : (first.is?.holder ?? null)
  const defaultSnat = first.should?.defaultSnat === true
  if (defaultSnat === (default_snat === 1)) return
  if (center === null) throw new ApiError('NAT-IP-8')
  const clears = context.restores === true && !defaultSnat
  const document = { defaultSnat: defaultSnat || clears }
  await perform(context, first, { method: 'PUT', path: `${natIpsOf(center)}/${id}`, document })
  if (clears) await clearDefaultSnat(context.db, id)
}

async function setEnd({ context, first, rows }: Changing): Promise<void> {
  const [{ id, default_snat, virtual_datacenter_id }] = await rows()
  const hasMoved = first.should?.holder !== undefined
  const center = hasMoved ? virtual_datacenter_id : (first.is?.holder ?? null)
  if (center === null) throw new ApiError('NAT-IP-8')
  const document = { defaultSnat: default_snat === 1, ends: first.should?.ends ?? '' }
  await perform(context, first, { method: 'PUT', path: `${natIpsOf(center)}/${id}`, document })
}
