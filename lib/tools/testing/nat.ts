import { insertDevice } from '#lib/cloud/infrastructure/devices.server'
import { insertVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { insertVirtualMachine } from '#lib/cloud/machines/machines.server'
import { insertPrivateIp } from '#lib/cloud/machines/private-ips.server'
import { insertTemplate } from '#lib/cloud/machines/templates.server'
import { insertVirtualAppliance } from '#lib/cloud/machines/virtual-appliances.server'
import { attachIps, makeDefaultSnat } from '#lib/cloud/nat/attachments.server'
import { countedColumns, recount } from '#lib/cloud/nat/counts.server'
import { createIps, type NewIps } from '#lib/cloud/nat/ip-creation.server'
import { insertRules } from '#lib/cloud/nat/rules.server'
import { database, transaction } from '#lib/db/db.server'
import { call, expectStatus, ORIGIN, unique } from '#lib/tools/testing/client'

type Named = { id: number; name: string }

export const newDatacenter = (name = unique('Datacenter')): Promise<Named> =>
  expectStatus(201, call('POST', '/api/admin/datacenters', { body: { name, location: 'Here' } }))

/** A device, by default of a type that supports NAT. */
export async function newDevice(
  datacenterId: number,
  { typeName = 'LOGICAL', name = unique('Device') } = {},
): Promise<Named> {
  return { name, id: await transaction((trx) => insertDevice(trx, { datacenterId, typeName, name })) }
}

export const networksPath = (datacenter: number): string => `/api/admin/datacenters/${datacenter}/natnetworks`

export const deviceLink = (datacenter: number, device: number) => ({
  rel: 'device',
  href: `${ORIGIN}/api/cloud/locations/${datacenter}/devices/${device}`,
})

type NewNetwork = { datacenter: number; device?: number; cidr: string; name?: string }

export type Network = { id: number; datacenter: number; name: string; cidr: string }

/** A NAT network, created through the front door, on a new device by default. */
export async function newNetwork({ datacenter, device, cidr, name }: NewNetwork): Promise<Network> {
  const holder = device ?? (await newDevice(datacenter)).id
  const body = { name: name ?? unique('Network'), cidr, links: [deviceLink(datacenter, holder)] }
  const made = await expectStatus(201, call('POST', networksPath(datacenter), { body }))
  return { id: made.id, datacenter, name: made.name, cidr: made.cidr }
}

export const addIps = (network: Network, ips: NewIps): Promise<{ key: string; id: number }> =>
  transaction((trx) => createIps(trx, { ...network, datacenter_id: network.datacenter }, ips))

/** In short transactions: a long one delays the streams of events of all databases of the server. */
export async function addManyIps(network: Network, count: number): Promise<void> {
  const most = 5000
  for (let made = 0; made < count; made += most)
    await addIps(network, { count: Math.min(most, count - made) })
}

/** The NAT IP of this address, as rules name it. */
export const ipOf = (network: Network, ip: string) =>
  database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', network.id)
    .where('ip', '=', ip)
    .select(['id', 'ip', 'ip_key'])
    .executeTakeFirstOrThrow()

/** Attaches addresses to a virtual datacenter. */
export async function attach(network: Network, virtualDatacenter: number, ...ips: string[]): Promise<void> {
  const ids = await Promise.all(ips.map(async (ip) => (await ipOf(network, ip)).id))
  await transaction((trx) => attachIps(trx, { network: network.id, virtualDatacenter }, ids))
}

type Flags = { available: 0 | 1; quarantine: 0 | 1; virtual_datacenter_id: number | null }

/** Past the rules of the product, but not past its totals. */
export const changeIp = (id: number, columns: Partial<Flags>): Promise<void> =>
  transaction(async (trx) => {
    const ip = await trx
      .selectFrom('nat_ips')
      .where('id', '=', id)
      .select(countedColumns)
      .executeTakeFirstOrThrow()
    await trx.updateTable('nat_ips').set(columns).where('id', '=', id).execute()
    await recount(trx, { before: [ip], after: [{ ...ip, ...columns }] })
  })

export async function makeDefault(network: Network, ip: string): Promise<void> {
  const { id } = await ipOf(network, ip)
  await transaction((trx) => makeDefaultSnat(trx, id))
}

type NewMachine = {
  enterprise: number
  datacenter: number
  name?: string
  virtualDatacenterName?: string
  privateIps?: string[]
  template?: number
}

type Machine = { id: number; name: string; virtualDatacenter: number; privateIps: number[] }

/** A virtual machine in a virtual datacenter of its own. */
export function newMachine({
  enterprise,
  datacenter,
  name = unique('Machine'),
  ...more
}: NewMachine): Promise<Machine> {
  return transaction(async (trx) => {
    const virtualDatacenter = await insertVirtualDatacenter(trx, {
      name: more.virtualDatacenterName ?? unique('Virtual datacenter'),
      enterpriseId: enterprise,
      datacenterId: datacenter,
    })
    const id = await insertVirtualMachine(trx, {
      name,
      virtualApplianceId: await insertVirtualAppliance(trx, virtualDatacenter, { name: 'Appliance' }),
      virtualDatacenterId: virtualDatacenter,
      enterpriseId: enterprise,
      templateId: more.template,
    })
    const owner = { virtualDatacenterId: virtualDatacenter, virtualMachineId: id, mac: '02:00:00:00:00:01' }
    const privateIps: number[] = []
    for (const ip of more.privateIps ?? []) {
      privateIps.push(await insertPrivateIp(trx, { ...owner, nic: privateIps.length, ip }))
    }
    return { id, name, virtualDatacenter, privateIps }
  })
}

export const newTemplate = (template: {
  enterpriseId: number
  datacenterId: number
  scopeId?: number
}): Promise<number> => transaction((trx) => insertTemplate(trx, { name: unique('Template'), ...template }))

type Dnat = { protocol: 'TCP' | 'UDP' | 'ANY'; originalPort?: number; translatedPort?: number }

/** A rule between a NAT IP and the first private IP of a machine: DNAT where a protocol is given, else SNAT. */
export async function addRule(network: Network, ip: string, machine: Machine, dnat?: Dnat): Promise<void> {
  const natIp = await ipOf(network, ip)
  const [privateIpId = 0] = machine.privateIps
  const ends = { natIp, privateIpId, virtualMachineId: machine.id }
  const place = { datacenter: network.datacenter, network: network.id }
  const rule = dnat ? { ...ends, ...dnat, snat: false as const } : { ...ends, snat: true as const }
  await transaction((trx) => insertRules(trx, place, [rule]))
}
