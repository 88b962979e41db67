import type { ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { findVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { attachIps, clearDefaultSnat } from '#lib/cloud/nat/attachments.server'
import { countedColumns } from '#lib/cloud/nat/counts.server'
import { createListedIps } from '#lib/cloud/nat/ip-creation.server'
import { releaseManyIps, removeManyIps, setManyIps } from '#lib/cloud/nat/many-ips.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { addressKeyOf } from '#lib/ground/net/addresses'
import {
  change,
  perform,
  type Reconciling,
  type Step,
  stepsFor,
  underIds,
  type Wished,
} from '#lib/state/reconcile/steps.server'

/* NAT IPs, which come by the thousand. */

type Network = { id: number; datacenter_id: number; cidr: string }
type Flags = { available: boolean; quarantine: boolean }

export type IpWish<About = unknown> = Wished<About> & {
  kind: typeof kinds.natip
  /** Found when the step runs: an earlier step may have made it. `key`: equal for the same network. */
  network: { key: string; find: () => Promise<Network> }
  ip: string
  /** `holder`: the virtual datacenter, if the caller sees it. */
  is: (Flags & { defaultSnat: boolean; holder: number | null }) | null
  /** What is missing stays as it is. */
  should: (Flags & { defaultSnat?: boolean | undefined; holder?: Holder | null | undefined }) | null
}

/** A virtual datacenter, found in the datacenter of the network when the step runs; `present` is the one that holds the IP. */
type Holder = { key: string; find: (network: Network, present: number | null) => Promise<number> }

const flagsOf = ({ available, quarantine }: Flags): Flags => ({ available, quarantine })

const areSame = (one: Flags, other: Flags): boolean =>
  one.available === other.available && one.quarantine === other.quarantine

/** What gets a virtual datacenter is usable at first, and nothing that is there is withdrawn before it has its rules. */
function flagsAtFirst({ is, should }: IpWish): Flags {
  const { available, quarantine, holder } = should ?? { available: true, quarantine: false }
  if (holder) return { available: true, quarantine: false }
  if (!is) return { available, quarantine }
  return { available: available || is.available, quarantine: quarantine && is.quarantine }
}

/** What gets another virtual datacenter is no longer the default SNAT. */
const changesDefault = ({ is, should }: IpWish): boolean =>
  should?.defaultSnat !== undefined &&
  should.defaultSnat !== (is?.defaultSnat === true && should.holder === undefined)

/** The default SNAT is released by itself, where it may be. */
const staysDefault = ({ restores }: Reconciling, { is }: IpWish): boolean =>
  !restores || is?.defaultSnat !== true

function alikeToSave(context: Reconciling, wish: IpWish): string | null | undefined {
  const { network, is, should } = wish
  const holder = should?.holder
  const flags = flagsAtFirst(wish)
  const set = is && areSame(is, flags) ? undefined : flags
  if (changesDefault(wish) || (holder !== undefined && !staysDefault(context, wish))) return undefined
  if (is && !set && holder === undefined) return null
  return JSON.stringify([network.key, is !== null, set, holder !== undefined && [is?.holder, holder?.key]])
}

export const removedIps = <About>(
  context: Reconciling,
  wishes: readonly IpWish<About>[],
): Promise<Step<About>[]> =>
  stepsFor(
    wishes.filter(({ should }) => !should),
    {
      alike: (wish) =>
        staysDefault(context, wish) ? JSON.stringify([wish.network.key, wish.is?.holder]) : undefined,
      action: () => 'delete-natips',
      run: (some) => removeIps(context, some),
    },
  )

export const savedIps = <About>(
  context: Reconciling,
  wishes: readonly IpWish<About>[],
): Promise<Step<About>[]> =>
  stepsFor(
    wishes.filter(({ should }) => should),
    {
      alike: (wish) => alikeToSave(context, wish),
      action: ({ is }) => (is ? 'change-natips' : 'create-natips'),
      run: (some) => saveIps(context, some),
    },
  )

/** Once they have their rules: no longer available, or in quarantine. They keep what they have. */
export const withdrawnIps = <About>(
  context: Reconciling,
  wishes: readonly IpWish<About>[],
): Promise<Step<About>[]> =>
  stepsFor(
    wishes.filter((wish) => wish.should && !areSame(wish.should, flagsAtFirst(wish))),
    {
      alike: ({ network, should }) => JSON.stringify([network.key, should && flagsOf(should)]),
      action: () => 'change-natips',
      run: async (some) => {
        const changing = await changingOf(context, some)
        const { should } = changing.first
        if (should) await setIps(changing, flagsOf(should))
      },
    },
  )

type IpRow = Awaited<ReturnType<typeof ipsIn>>[number]

const ipsIn = ({ db }: ReadContext, network: number, ips: readonly string[]) =>
  db
    .selectFrom('nat_ips')
    .where('nat_network_id', '=', network)
    .where(
      'ip_key',
      'in',
      ips.map((ip) => addressKeyOf(ip) ?? ''),
    )
    .select(['id', 'ip', ...countedColumns])
    .execute()

/** The rows of the NAT IPs with these addresses. Throws NAT-IP-0 for the first that is missing. */
export async function ipsAt(
  context: ReadContext,
  network: number,
  ips: readonly string[],
): Promise<(ip: string) => IpRow> {
  const rows = new Map((await ipsIn(context, network, ips)).map((row) => [row.ip, row]))
  const rowOf = (ip: string): IpRow => {
    const row = rows.get(ip)
    if (!row) throw new ApiError(fault('NAT-IP-0', `There is no NAT IP ${ip} in this network`))
    return row
  }
  for (const ip of ips) rowOf(ip)
  return rowOf
}

/** NAT IPs of one network that are changed alike, by the operations of one. */
type Changing = {
  context: Reconciling
  wishes: readonly IpWish[]
  first: IpWish
  network: Network
  /** The path of the network's IPs. */
  path: string
  /** As they are now. */
  rows: () => Promise<[IpRow, ...IpRow[]]>
}

async function changingOf(context: Reconciling, wishes: readonly IpWish[]): Promise<Changing> {
  const [first, ...others] = wishes
  if (!first) throw new Error('There is nothing to change')
  const network = await first.network.find()
  const path = collectionOf(kinds.natip, { datacenter: network.datacenter_id, natnetwork: network.id })
  const rows = async (): Promise<[IpRow, ...IpRow[]]> => {
    const rowOf = await ipsAt(
      context,
      network.id,
      wishes.map(({ ip }) => ip),
    )
    return [rowOf(first.ip), ...others.map(({ ip }) => rowOf(ip))]
  }
  return { context, wishes, first, network, path, rows }
}

async function setIps({ context, wishes, path, rows }: Changing, flags: Flags): Promise<void> {
  const all = await rows()
  const [{ id, available, quarantine }] = all
  if (areSame({ available: available === 1, quarantine: quarantine === 1 }, flags)) return
  await change(context, wishes, {
    inner: { method: 'PUT', path: `${path}/${id}`, document: flags },
    many: () => setManyIps(context.db, all, flags),
  })
}

const natIpsOf = (center: number): string => `${pathOf(kinds.virtualdatacenter, { id: center })}/natips`

async function releaseIps({ context, wishes, rows }: Changing, center: number): Promise<void> {
  const all = await rows()
  const [{ id, default_snat }] = all
  if (context.restores && default_snat === 1 && wishes.length === 1) await clearDefaultSnat(context.db, id)
  await change(context, wishes, {
    inner: { method: 'PUT', path: `${natIpsOf(center)}/purchased/${id}` },
    many: async () => {
      await findVirtualDatacenter(context, center)
      if (all.some((row) => row.virtual_datacenter_id !== center)) throw new ApiError('NAT-IP-8')
      await releaseManyIps(context.db, all)
    },
  })
}

async function removeIps(context: Reconciling, wishes: readonly IpWish[]): Promise<void> {
  const changing = await changingOf(context, wishes)
  const holder = changing.first.is?.holder ?? null
  if (holder !== null) await releaseIps(changing, holder)
  const all = await changing.rows()
  await change(context, wishes, {
    inner: { method: 'DELETE', path: `${changing.path}/${all[0].id}` },
    many: () => removeManyIps(context.db, all),
  })
}

async function saveIps(context: Reconciling, wishes: readonly IpWish[]): Promise<void> {
  const changing = await changingOf(context, wishes)
  const { first, network, path } = changing
  const flags = flagsAtFirst(first)
  if (first.is) await setIps(changing, flags)
  else
    await underIds(context, wishes, () =>
      change(context, wishes, {
        inner: { method: 'POST', path, document: { ip: first.ip, ...flags } },
        many: () =>
          createListedIps(
            context.db,
            network,
            wishes.map(({ ip }) => ({ ip, ...flags })),
          ),
      }),
    )
  await moveIps(changing)
  if (changesDefault(first)) await setDefault(changing)
}

/** To the virtual datacenter that should hold them. */
async function moveIps(changing: Changing): Promise<void> {
  const { context, wishes, first, network, rows } = changing
  const wanted = first.should?.holder
  if (wanted === undefined) return
  const [{ id, virtual_datacenter_id: present }, ...others] = await rows()
  const center = wanted && (await wanted.find(network, present))
  if (present !== null && present !== center) await releaseIps(changing, present)
  if (center !== null && present !== center)
    await change(context, wishes, {
      inner: { method: 'PUT', path: `${natIpsOf(center)}/topurchase/${id}` },
      many: () =>
        attachIps(context.db, { network: network.id, virtualDatacenter: center }, [
          id,
          ...others.map((other) => other.id),
        ]),
    })
}

/** The default SNAT of its virtual datacenter, or no longer. Only what comes back can leave a virtual datacenter without one. */
async function setDefault({ context, first, rows }: Changing): Promise<void> {
  const [{ id, default_snat, virtual_datacenter_id: center }] = await rows()
  const defaultSnat = first.should?.defaultSnat === true
  if (defaultSnat === (default_snat === 1)) return
  if (center === null) throw new ApiError(fault('NAT-IP-8'))
  const clears = context.restores === true && !defaultSnat
  const document = { defaultSnat: defaultSnat || clears }
  await perform(context, first, { method: 'PUT', path: `${natIpsOf(center)}/${id}`, document })
  if (clears) await clearDefaultSnat(context.db, id)
}
