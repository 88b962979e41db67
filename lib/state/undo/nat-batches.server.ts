import { seesMachine } from '#lib/caller/scopes/visibility.server'
import { findVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { attachIps } from '#lib/cloud/nat/attachments.server'
import { createListedIps } from '#lib/cloud/nat/ip-creation.server'
import { addMachinesRules, deleteRules, type Rule } from '#lib/cloud/nat/machine-rules.server'
import { ipsOfNetwork, releaseManyIps, removeManyIps, setManyIps } from '#lib/cloud/nat/many-ips.server'
import { findNetwork } from '#lib/cloud/nat/networks.server'
import { isProtocol } from '#lib/cloud/nat/rules.schema'
import type { Trx } from '#lib/db/db.server'
import { underFormerIds } from '#lib/db/unique.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Context } from '#lib/record/events/operation.server'
import { presentRows } from '#lib/state/undo/present.server'
import { collectionOf, pathOf, type Row } from '#lib/state/undo/resources'
import type { Many } from '#lib/state/undo/steps'

/*
 * Changes of NAT IPs and rules that are alike, in a few statements, by the privileges and rules of the single operations. They only have
 * to refuse: the single operations, which run then, say why.
 */

type Batching = Pick<Context, 'caller' | 'permit'> & { db: Trx }

const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => Number(id))

const ipsOf = ({ db }: Batching, network: number, rows: readonly Row[]) =>
  ipsOfNetwork(db, network, idsOf(rows))

const flagsOf = (row: Row) => ({ available: row.available === 1, quarantine: row.quarantine === 1 })

const centerPath = (row: Row): string => `/cloud/virtualdatacenters/${row.virtual_datacenter_id}/natips`

const networkOf = ({ caller, db }: Batching, row: Row) =>
  findNetwork({ caller, db }, Number(row.datacenter_id), Number(row.nat_network_id))

const centerOf = ({ caller, db }: Batching, row: Row) =>
  findVirtualDatacenter({ caller, db }, Number(row.virtual_datacenter_id))

/** A change of the IPs of one network. */
const ofNetwork = (
  context: Batching,
  { name, row, method }: { name: string; row: Row; method: 'POST' | 'PUT' | 'DELETE' },
  change: (network: Awaited<ReturnType<typeof networkOf>>, rows: Row[]) => Promise<unknown>,
): Many => ({
  alike: `${name} ${row.nat_network_id}`,
  row,
  run: async (rows) => {
    const path = method === 'POST' ? collectionOf('nat_ips', row) : pathOf('nat_ips', row)
    await context.permit({ method, path })
    await change(await networkOf(context, row), rows)
  },
})

export const removeMade = (context: Batching, row: Row): Many =>
  ofNetwork(context, { name: 'remove', row, method: 'DELETE' }, async ({ id }, rows) =>
    removeManyIps(context.db, await ipsOf(context, id, rows)),
  )

export const restoreRemoved = (context: Batching, row: Row): Many =>
  ofNetwork(
    context,
    { name: `restore ${row.available} ${row.quarantine}`, row, method: 'POST' },
    (network, rows) => {
      const former = idsOf(rows).map((id) => ({ table: 'nat_ips' as const, id }))
      const ips = rows.map((each) => ({ ip: String(each.ip), ...flagsOf(each) }))
      return underFormerIds(context.db, former, () => createListedIps(context.db, network, ips))
    },
  )

/** `row`: the IP with its flags as they should be. */
export const setFlags = (context: Batching, row: Row): Many =>
  ofNetwork(
    context,
    { name: `set ${row.available} ${row.quarantine}`, row, method: 'PUT' },
    async ({ id }, rows) => setManyIps(context.db, await ipsOf(context, id, rows), flagsOf(row)),
  )

/** `row`: the IP with the virtual datacenter that holds it. */
export const releaseHeld = (context: Batching, row: Row): Many => ({
  alike: `release ${row.nat_network_id} ${row.virtual_datacenter_id}`,
  row,
  run: async (rows) => {
    await context.permit({ method: 'PUT', path: `${centerPath(row)}/purchased/${row.id}` })
    await centerOf(context, row)
    await releaseManyIps(context.db, await ipsOf(context, Number(row.nat_network_id), rows))
  },
})

/** `row`: the IP with the virtual datacenter that gets it. */
export const attachAgain = (context: Batching, row: Row): Many => ({
  alike: `attach ${row.nat_network_id} ${row.virtual_datacenter_id}`,
  row,
  run: async (rows) => {
    await context.permit({ method: 'PUT', path: `${centerPath(row)}/topurchase/${row.id}` })
    const { id: virtualDatacenter } = await centerOf(context, row)
    const network = Number(row.nat_network_id)
    const attach = () => attachIps(context.db, { network, virtualDatacenter }, idsOf(rows))
    await whileUsable(context, { ids: idsOf(rows), available: true }, attach)
  },
})

/**
 * An IP in quarantine keeps what it has, and an unavailable one too, but they get nothing new. What comes back was there before, so these
 * flags are lifted while it does. Rules need no available IP.
 */
export async function whileUsable<T>(
  context: Batching,
  { ids, available }: { ids: readonly number[]; available: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const present = await presentRows(context.db, 'nat_ips', ids)
  const lifted = present
    .map(({ row }) => row)
    .filter((row) => row.quarantine === 1 || (available && row.available === 0))
  const alike = Map.groupBy(lifted, (row) =>
    JSON.stringify([row.nat_network_id, row.available, row.quarantine]),
  )
  const setAll = async (flags: (row: Row) => ReturnType<typeof flagsOf>) => {
    for (const rows of alike.values()) {
      const [row] = rows
      if (!row) continue
      await context.permit({ method: 'PUT', path: pathOf('nat_ips', row) })
      const { id } = await networkOf(context, row)
      await setManyIps(context.db, await ipsOf(context, id, rows), flags(row))
    }
  }
  await setAll((row) => ({ available: available || row.available === 1, quarantine: false }))
  const result = await work()
  await setAll(flagsOf)
  return result
}

const rulesPath = (row: Row): string =>
  `/cloud/virtualdatacenters/0/virtualappliances/0/virtualmachines/${row.virtual_machine_id}/natrules`

/** The machines of these rules. Throws VM-0 if the caller does not see one of them. */
async function machinesOf({ caller, db }: Batching, rows: readonly Row[]) {
  const ids = [...new Set(rows.map(({ virtual_machine_id }) => Number(virtual_machine_id)))]
  const found = await db
    .selectFrom('virtual_machines')
    .where('id', 'in', ids)
    .where(seesMachine(caller))
    .select(['id', 'virtual_datacenter_id'])
    .execute()
  if (found.length < ids.length) throw new ApiError('VM-0')
  return new Map(found.map((machine) => [machine.id, machine]))
}

export const removeMadeRules = (context: Batching, row: Row): Many => ({
  alike: 'remove rules',
  row,
  run: async (rows) => {
    await context.permit({ method: 'DELETE', path: `${rulesPath(row)}/${row.id}` })
    await machinesOf(context, rows)
    const rules = rows.map(({ id, nat_network_id, snat, ip_key }) => ({
      id: Number(id),
      nat_network_id: Number(nat_network_id),
      snat: snat === 1,
      ip_key: String(ip_key),
    }))
    await deleteRules(context.db, rules)
  },
})

const ruleOf = (row: Row): Rule => {
  const { protocol } = row
  return {
    snat: row.snat === 1,
    natIp: Number(row.nat_ip_id),
    privateIp: Number(row.private_ip_id),
    protocol: typeof protocol === 'string' && isProtocol(protocol) ? protocol : '',
    originalPort: Number(row.original_port),
    translatedPort: Number(row.translated_port),
  }
}

export const restoreRules = (context: Batching, row: Row): Many => ({
  alike: `restore rules ${row.nat_network_id}`,
  row,
  run: async (rows) => {
    await context.permit({ method: 'POST', path: rulesPath(row) })
    const machines = await machinesOf(context, rows)
    const placed = rows.flatMap((each) => {
      const machine = machines.get(Number(each.virtual_machine_id))
      return machine ? [{ machine, rule: ruleOf(each) }] : []
    })
    const former = idsOf(rows).map((id) => ({ table: 'nat_rules' as const, id }))
    const restore = () => underFormerIds(context.db, former, () => addMachinesRules(context.db, placed))
    const ids = [...new Set(rows.map(({ nat_ip_id }) => Number(nat_ip_id)))]
    await whileUsable(context, { ids, available: false }, restore)
  },
})
