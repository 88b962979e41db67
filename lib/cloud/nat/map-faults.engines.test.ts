import { expect, test } from 'vitest'
import type { AddressMapDocument } from '#lib/cloud/nat/networks.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { call, expectStatus } from '#lib/tools/testing/client'
import { addIps, ipOf, type Network, networksPath, newNetwork } from '#lib/tools/testing/nat'
import {
  attachIp,
  dnat,
  ipsPath,
  type MachineWithIps,
  newMachineWithIps,
  ruleBody,
} from '#lib/tools/testing/nat-rules'

const mapOf = ({ datacenter, id }: Network, query: string): Promise<AddressMapDocument> =>
  expectStatus(200, call('GET', `${networksPath(datacenter)}/${id}/action/addressmap?${query}`))

const faultsOf = async (network: Network, block?: string) =>
  (await mapOf(network, `faults=true${block ? `&block=${block}` : ''}`)).cells.map(
    ({ cidr, errors, drifted }) => [cidr, errors, drifted],
  )

const newRule = async (machine: MachineWithIps, originalPort: number, natIp?: number): Promise<number> => {
  const body = ruleBody(machine, dnat(originalPort), natIp === undefined ? {} : { natIp })
  return (await expectStatus(201, call('POST', `${machine.path}/natrules`, { body }))).id
}

const quarantine = (network: Network, id: number) =>
  expectStatus(200, call('PUT', `${ipsPath(network)}/${id}`, { body: { available: true, quarantine: true } }))

async function reportDrift({ datacenter, id }: Network, ...rules: number[]): Promise<void> {
  const network = await expectStatus(200, call('GET', `${networksPath(datacenter)}/${id}`))
  const device = idOfLink(linkOf(network, 'device'))
  const drift = rules.map((rule) => ({ rule, reason: 'is missing' }))
  await expectStatus(
    200,
    call('PUT', `/api/cloud/locations/${datacenter}/devices/${device}/state`, {
      body: { revision: 0, drift },
    }),
  )
}

test('the map shows which IPs have errors in the check, and which the device reported as drifted', async () => {
  const machine = await newMachineWithIps()
  const { network, natIps } = machine
  const rules = [await newRule(machine, 443), await newRule(machine, 80)]
  await newRule(machine, 80, natIps[1])
  const some = '192.0.2.0/30'
  const sound = [
    ['192.0.2.1/32', 0, 0],
    ['192.0.2.2/32', 0, 0],
    ['192.0.2.3/32', 0, 0],
  ]
  expect(await faultsOf(network, some)).toEqual(sound)
  await reportDrift(network, ...rules)
  await quarantine(network, natIps[1])
  expect(await faultsOf(network, some)).toEqual([
    ['192.0.2.1/32', 0, 1],
    ['192.0.2.2/32', 1, 0],
    ['192.0.2.3/32', 0, 0],
  ])
  expect((await mapOf(network, `block=${some}`)).cells[0]).not.toHaveProperty('drifted')
  await reportDrift(network)
  expect(await faultsOf(network, '192.0.2.0/31')).toEqual([['192.0.2.1/32', 0, 0]])
})

test('blocks show how many of their IPs have errors or drifted', async () => {
  const machine = await newMachineWithIps()
  const { datacenter } = machine.network
  const network = await newNetwork({ datacenter, cidr: '10.0.0.0/9' })
  const ruleAt = async (ip: string) => {
    await addIps(network, { from: ip, count: 1 })
    await attachIp(network, machine.center, ip)
    const natIp = (await ipOf(network, ip)).id
    return { natIp, rule: await newRule({ ...machine, network }, 80, natIp) }
  }
  const [one, two, three] = [await ruleAt('10.3.9.1'), await ruleAt('10.3.77.1'), await ruleAt('10.3.200.1')]
  await reportDrift(network, one.rule, two.rule)
  await quarantine(network, two.natIp)
  await quarantine(network, three.natIp)
  expect(await faultsOf(network)).toEqual([
    ['10.3.0.0/17', 1, 2],
    ['10.3.128.0/17', 1, 0],
  ])
})
