import { call, expectStatus, ORIGIN, type User } from '#lib/tools/testing/client'
import {
  centerPath,
  machinesPath,
  newAppliance,
  newCenter,
  newPrivateIp,
  nicLink,
  refer,
} from '#lib/tools/testing/inventory'
import { addIps, ipOf, type Network, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'

/* NAT IPs and rules as clients handle them, through the front door. */

export const ipsPath = (network: Network): string => `${networksPath(network.datacenter)}/${network.id}/ips`

const natIpLink = (rel: string, network: Network, id: number) => refer(rel, `${ipsPath(network)}/${id}`)

/** A network of ten addresses, 192.0.2.1 to .10, in a datacenter of its own. */
export async function newTenIps(): Promise<Network> {
  const { id: datacenter } = await newDatacenter()
  const network = await newNetwork({ datacenter, cidr: '192.0.2.0/24' })
  await addIps(network, { count: 10 })
  return network
}

export const attachPath = (center: number, id: number): string =>
  `${centerPath(center)}/natips/topurchase/${id}`

export const releasePath = (center: number, id: number): string =>
  `${centerPath(center)}/natips/purchased/${id}`

/** Attaches the address and gives its id. */
export async function attachIp(network: Network, center: number, ip: string, as?: User): Promise<number> {
  const { id } = await ipOf(network, ip)
  await expectStatus(200, call('PUT', attachPath(center, id), { ...(as && { as }) }))
  return id
}

/** A machine with two private IPs in a virtual datacenter that has 192.0.2.1 and .2 of a network. */
export async function newMachineWithIps() {
  const network = await newTenIps()
  const center = await newCenter({ datacenter: network.datacenter })
  const natIps = [
    await attachIp(network, center.id, '192.0.2.1'),
    await attachIp(network, center.id, '192.0.2.2'),
  ] as const
  const appliance = await newAppliance({ center: center.id })
  const privateIps = [
    await newPrivateIp(center.id, '10.0.0.1'),
    await newPrivateIp(center.id, '10.0.0.2'),
  ] as const
  const links = privateIps.map((id, number) => nicLink(number as 0 | 1, center.id, id))
  const path = machinesPath(center.id, appliance.id)
  const { id } = await expectStatus(201, call('POST', path, { body: { name: 'Machine', links } }))
  return {
    network,
    center: center.id,
    enterprise: center.enterprise,
    natIps,
    privateIps,
    path: `${path}/${id}`,
  }
}
export type MachineWithIps = Awaited<ReturnType<typeof newMachineWithIps>>

/** The body of a rule: SNAT of the first private IP by the first NAT IP, or DNAT the other way round. */
export const ruleBody = (
  { network, center, natIps, privateIps }: MachineWithIps,
  rule: { snat: boolean; protocol?: string; originalPort?: number; translatedPort?: number },
  { natIp = natIps[0], privateIp = privateIps[0] }: { natIp?: number; privateIp?: number } = {},
) => {
  const [nat, inside] = rule.snat ? ['translated', 'original'] : ['original', 'translated']
  const links = [
    natIpLink(nat, network, natIp),
    { rel: inside, href: `${ORIGIN}${centerPath(center)}/privateips/${privateIp}` },
  ]
  return { ...rule, links }
}

export const dnat = (originalPort: number, translatedPort = originalPort, protocol = 'TCP') => ({
  snat: false,
  protocol,
  originalPort,
  translatedPort,
})
