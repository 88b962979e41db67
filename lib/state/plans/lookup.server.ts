import type { z } from 'zod'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { isPrivilege } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise, seesKind, seesMachine } from '#lib/caller/scopes/visibility.server'
import { settingsIn } from '#lib/cloud/nat/rule-settings.server'
import { chunksOf } from '#lib/db/chunks'
import { ApiError, type ErrorCode, type Fault, fault, fieldFault, MOST_FAULTS } from '#lib/ground/http/errors'
import { addressKeyOf } from '#lib/ground/net/addresses'
import { innerAddress, natAddress } from '#lib/state/plans/items'
import type { wantedItems } from '#lib/state/plans/plans.schema'
import { ipsAt } from '#lib/state/reconcile/nat-ips.server'
import type { Placed } from '#lib/state/reconcile/nat-rules.server'

/* Finds the ids of names when a step runs: an earlier step may have created the named resource. */

/** The name of a resource, and the member that contains it. */
type Named = { field: string; name: string }

/** The kinds that documents name by a name that is theirs alone. */
type NamedKind = typeof kinds.scope | typeof kinds.enterprise | typeof kinds.role | typeof kinds.datacenter

const missing = (code: ErrorCode, word: string, { field, name }: Named): Fault =>
  fieldFault(code, field, `there is no ${word} ${name}`)

/** The id of the resource with this name, if the caller sees it. */
export async function idOf(context: ReadContext, kind: NamedKind, { field, name }: Named): Promise<number> {
  const [id = 0] = await idsOf(context, kind, { field, names: [name] })
  return id
}

/** The ids of all these. Throws a fault for each that is missing. */
export async function idsOf(
  { caller, db }: ReadContext,
  kind: NamedKind,
  { field, names }: { field: string; names: readonly string[] },
): Promise<number[]> {
  const ids = new Map<string, number>()
  for (const some of chunksOf(names)) {
    const rows = await db
      .selectFrom(kind.table)
      .where('name', 'in', some)
      .where(seesKind(caller, kind))
      .select(['id', 'name'])
      .execute()
    for (const { id, name } of rows) if (!ids.has(name)) ids.set(name, id)
  }
  const absent = names.filter((name) => !ids.has(name)).slice(0, MOST_FAULTS)
  if (absent.length > 0)
    throw new ApiError(absent.map((name) => missing(kind.missing, kind.name, { field, name })))
  return names.flatMap((name) => ids.get(name) ?? [])
}

export function requirePrivileges(names: readonly string[]): void {
  const name = names.find((each) => !isPrivilege(each))
  if (name !== undefined)
    throw new ApiError(missing('PRIVILEGE-0', 'privilege', { field: 'privileges', name }))
}

export async function deviceOf({ db }: ReadContext, datacenter: number, name: string): Promise<number> {
  const row = await db
    .selectFrom('devices')
    .where('datacenter_id', '=', datacenter)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  if (!row) throw new ApiError(missing('NETDEVICE-1', 'device', { field: 'device', name }))
  return row.id
}

type NetworkName = { datacenter: string; network: string }

/** The NAT network of this name, with its datacenter. */
export async function networkOf(context: ReadContext, { datacenter, network: name }: NetworkName) {
  const datacenterId = await idOf(context, kinds.datacenter, { field: 'datacenter', name: datacenter })
  const row = await context.db
    .selectFrom('nat_networks')
    .where('datacenter_id', '=', datacenterId)
    .where('name', '=', name)
    .select(['id', 'cidr'])
    .executeTakeFirst()
  if (!row) throw new ApiError(missing('NAT-NET-1', 'NAT network', { field: 'network', name }))
  return { id: row.id, cidr: row.cidr, datacenter_id: datacenterId }
}

type Center = {
  datacenter: number
  name: string
  enterprise?: string | undefined
  holder: number | null
}

/** The virtual datacenter of this name. Names of different enterprises may be equal: then the enterprise decides, or the one that holds the IP. */
export async function centerOf(
  { caller, db }: ReadContext,
  { datacenter, name, enterprise, holder }: Center,
): Promise<number> {
  const rows = await db
    .selectFrom('virtual_datacenters')
    .innerJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
    .where('virtual_datacenters.datacenter_id', '=', datacenter)
    .where('virtual_datacenters.name', '=', name)
    .where(seesEnterprise(caller, 'virtual_datacenters.enterprise_id'))
    .$if(enterprise !== undefined, (query) => query.where('enterprises.name', '=', enterprise ?? ''))
    .select('virtual_datacenters.id')
    .execute()
  const [first, ...others] = rows
  if (!first) throw new ApiError(missing('VDC-0', 'virtual datacenter', { field: 'virtualDatacenter', name }))
  if (others.length === 0) return first.id
  if (holder !== null && rows.some(({ id }) => id === holder)) return holder
  throw new ApiError(
    fieldFault('CONSTR-PATTERN', 'virtualDatacenter', `several are called ${name}: name the enterprise too`),
  )
}

type Inside = { center: number; ip: string }

/** The private IPs in their virtual datacenters, with the machines that have them. Throws PRIVATEIP-0 for the first that is missing. */
export async function privateIpsAt({ caller, db }: ReadContext, wanted: readonly Inside[]) {
  const keys = [...new Set(wanted.map(({ ip }) => addressKeyOf(ip) ?? ''))]
  const found = await db
    .selectFrom('private_ips')
    .innerJoin('virtual_machines', 'virtual_machines.id', 'private_ips.virtual_machine_id')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'private_ips.virtual_datacenter_id')
    .where('private_ips.virtual_datacenter_id', 'in', [...new Set(wanted.map(({ center }) => center))])
    .where('private_ips.ip_key', 'in', keys)
    .where(seesMachine(caller))
    .select(['private_ips.id', 'private_ips.ip', 'private_ips.virtual_datacenter_id'])
    .select(['virtual_machines.id as machine', 'virtual_machines.name as machineName'])
    .select('virtual_datacenters.name as center')
    .execute()
  const rows = new Map(found.map((row) => [`${row.virtual_datacenter_id} ${row.ip}`, row]))
  return ({ center, ip }: Inside) => {
    const row = rows.get(`${center} ${ip}`)
    if (row) return row
    const message = `No virtual machine in the virtual datacenter of the NAT IP has the private IP ${ip}`
    throw new ApiError(fault('PRIVATEIP-0', message))
  }
}

type RuleItem = z.infer<(typeof wantedItems)['natrules']>

/** Rules of one NAT network, with their machines. Throws the first fault. */
export async function rulesAt(
  context: ReadContext,
  network: number,
  items: readonly RuleItem[],
): Promise<Placed[]> {
  const natIps = await ipsAt(context, network, items.map(natAddress))
  const outer = items.map((item) => {
    const natIp = natIps(natAddress(item))
    if (natIp.virtual_datacenter_id === null) throw new ApiError('NAT-IP-8')
    return { item, natIp: natIp.id, center: natIp.virtual_datacenter_id, ip: innerAddress(item) }
  })
  const insideOf = await privateIpsAt(context, outer)
  return outer.map(({ item, natIp, center, ip }) => {
    const inside = insideOf({ center, ip })
    requireMeant(item, inside)
    const { type, protocol = '' } = item
    const ends = { natIp, privateIp: inside.id }
    return {
      rule: { snat: type === 'SNAT', ...ends, protocol, ...settingsIn(item) },
      machine: inside.machine,
    }
  })
}

/** The other end in the document must be the actual one. Throws NAT-IP-8, NAT-RULE-11. */
function requireMeant(
  { virtualDatacenter, virtualMachine }: RuleItem,
  inside: { center: string; machineName: string },
): void {
  if (virtualDatacenter !== undefined && virtualDatacenter !== inside.center)
    throw new ApiError(
      fieldFault('NAT-IP-8', 'virtualDatacenter', `the NAT IP is not attached to ${virtualDatacenter}`),
    )
  if (virtualMachine !== undefined && virtualMachine !== inside.machineName)
    throw new ApiError(
      fieldFault('NAT-RULE-11', 'virtualMachine', `the private IP is not attached to ${virtualMachine}`),
    )
}
