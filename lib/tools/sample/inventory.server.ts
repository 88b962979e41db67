import { insertVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { insertVirtualMachine } from '#lib/cloud/machines/machines.server'
import { insertPrivateIp } from '#lib/cloud/machines/private-ips.server'
import { insertTemplate } from '#lib/cloud/machines/templates.server'
import { insertVirtualAppliance } from '#lib/cloud/machines/virtual-appliances.server'
import { attachIps, makeDefaultSnat } from '#lib/cloud/nat/attachments.server'
import { insertRules, type NewRule } from '#lib/cloud/nat/rules.server'
import type { Trx } from '#lib/db/db.server'
import type { SampleDatacenter, SampleNetwork, Users } from '#lib/tools/sample/kinds'
import * as names from '#lib/tools/sample/names'
import type { Random } from '#lib/tools/sample/random'

type Nic = { privateIpId: number; virtualMachineId: number }
/** `nics`: the network interfaces of each machine, in the order of names.ts. */
type VirtualDatacenter = { id: number; datacenter: number; nics: Nic[][] }

type Inventory = {
  /** Attaches IPs of the networks to the virtual datacenters and writes the rules. */
  useNetworks: (networks: SampleNetwork[]) => Promise<void>
}

const NICS = 2
const DNAT_RULES = 1760

/** Two virtual datacenters per enterprise, each with five machines with two addresses each. */
export async function sampleInventory(
  trx: Trx,
  random: Random,
  { enterprises, places, users }: { enterprises: number[]; places: SampleDatacenter[]; users: Users },
): Promise<Inventory> {
  const made: VirtualDatacenter[] = []
  for (const [index, enterpriseId] of enterprises.entries()) {
    for (let turn = 0; turn < 2; turn += 1) {
      const place = places[(index + turn) % places.length]
      if (place)
        made.push(await sampleVirtualDatacenter(trx, random, { index, turn, enterpriseId, place, users }))
    }
  }
  return { useNetworks: (networks) => useNetworks(trx, made, networks) }
}

type Wanted = { index: number; turn: number; enterpriseId: number; place: SampleDatacenter; users: Users }

async function sampleVirtualDatacenter(trx: Trx, random: Random, wanted: Wanted): Promise<VirtualDatacenter> {
  const { index, turn, enterpriseId, place, users } = wanted
  const name = `${names.enterprises[index]} ${turn === 0 ? 'production' : 'staging'}`
  const virtualDatacenterId = await insertVirtualDatacenter(trx, {
    name,
    enterpriseId,
    datacenterId: place.id,
    deviceId: place.devices[0],
  })
  const virtualApplianceId = await insertVirtualAppliance(trx, virtualDatacenterId, {
    name: turn === 0 ? 'Shop' : 'Trial',
  })
  const template = random.pick(names.templates)
  const templateId = await insertTemplate(trx, { name: template, enterpriseId, datacenterId: place.id })
  const nics: Nic[][] = []
  for (const [machine, { name }] of names.machines.entries()) {
    const virtualMachineId = await insertVirtualMachine(trx, {
      name,
      state: random.chance(0.85) ? 'ON' : 'OFF',
      virtualApplianceId,
      virtualDatacenterId,
      enterpriseId,
      userId: users.get(enterpriseId)?.[1],
      templateId,
    })
    const own: Nic[] = []
    for (let nic = 0; nic < NICS; nic += 1) {
      const host = machine * NICS + nic + 10
      const hex = (value: number) => value.toString(16).padStart(2, '0')
      const mac = `52:54:00:${hex(index)}:${hex(turn)}:${hex(host)}`
      const ip = `10.${index}.${turn}.${host}`
      const privateIpId = await insertPrivateIp(trx, { virtualDatacenterId, virtualMachineId, nic, ip, mac })
      own.push({ virtualMachineId, privateIpId })
    }
    nics.push(own)
  }
  return { id: virtualDatacenterId, datacenter: place.id, nics }
}

/** Takes free addresses in order from each IPv4 network of the datacenter. */
async function useNetworks(trx: Trx, centers: VirtualDatacenter[], networks: SampleNetwork[]): Promise<void> {
  for (const [turn, center] of centers.entries()) {
    const near = networks.filter(
      ({ datacenter, version }) => datacenter === center.datacenter && version === 4,
    )
    const network = near[turn % 2]
    if (!network) continue
    const ips = await trx
      .selectFrom('nat_ips')
      .where('nat_network_id', '=', network.id)
      .where('virtual_datacenter_id', 'is', null)
      .where('available', '=', 1)
      .where('quarantine', '=', 0)
      .select(['id', 'ip_key'])
      .orderBy('ip_key')
      .limit(12)
      .execute()
    await attachIps(
      trx,
      { network: network.id, virtualDatacenter: center.id },
      ips.map(({ id }) => id),
    )
    const [first] = ips
    if (!first) continue
    await makeDefaultSnat(trx, first.id)
    const snat: NewRule[] = center.nics.flat().map((nic) => ({ natIp: first, ...nic, snat: true }))
    const place = { datacenter: center.datacenter, network: network.id }
    const count = share(turn + 1, centers.length) - share(turn, centers.length)
    await insertRules(trx, place, [...snat, ...portForwards(ips, center.nics, count)])
  }
}

/** The number of port forwards of the first `turns` virtual datacenters. */
const share = (turns: number, all: number): number => Math.floor((DNAT_RULES * turns) / all)

type Ip = { id: number; ip_key: string }

/** Port forwards: each address serves one machine, with the machine's services in their order. */
function portForwards(ips: Ip[], nics: Nic[][], count: number): NewRule[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % ips.length
    const machine = place % nics.length
    const natIp = ips[place] ?? { id: 0, ip_key: '' }
    const nic = nics[machine]?.[0] ?? { privateIpId: 0, virtualMachineId: 0 }
    const services = names.machines[machine]?.services ?? []
    const round = Math.floor(index / ips.length)
    const { protocol, original, translated } = services[round] ?? {
      protocol: 'UDP',
      original: 30_000 + round,
      translated: 30_000 + round,
    }
    return { natIp, ...nic, snat: false, protocol, originalPort: original, translatedPort: translated }
  })
}
