import { describe, expect, test } from 'vitest'
import type { NatExplanation } from '#lib/cloud/nat/explain.schema'
import { transaction } from '#lib/db/db.server'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
} from '#lib/tools/testing/client'
import { centerPath, newCenter, newPrivateIp } from '#lib/tools/testing/inventory'
import { networksPath } from '#lib/tools/testing/nat'
import { attachIp, dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { newScope } from '#lib/tools/testing/scopes'

type Asked = { from?: string; to?: string; protocol?: string; port?: number }

const explainPath = (datacenter: number): string => `${networksPath(datacenter)}/action/explain`

/** By default, a packet from the outside to port 443 of the first NAT IP. */
const packet = (asked: Asked = {}) => ({
  from: '198.51.100.7',
  to: '192.0.2.1',
  protocol: 'TCP',
  ...((asked.protocol ?? 'TCP') !== 'ANY' && { port: 443 }),
  ...asked,
})

const explain = (datacenter: number, asked: Asked = {}, as: User = admin): Promise<NatExplanation> =>
  expectStatus(200, call('POST', explainPath(datacenter), { body: packet(asked), as }))

/** DNAT of port 443 to 8443, and of UDP as a whole to the second private IP; the second NAT IP is the default SNAT. */
async function place() {
  const machine = await newMachineWithIps()
  const post = async (rule: Parameters<typeof ruleBody>[1], ends?: Parameters<typeof ruleBody>[2]) =>
    (
      await expectStatus(
        201,
        call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, rule, ends) }),
      )
    ).id as number
  const https = await post(dnat(443, 8443))
  const udp = await post({ snat: false, protocol: 'UDP' }, { privateIp: machine.privateIps[1] })
  const natip = `${centerPath(machine.center)}/natips/${machine.natIps[1]}`
  await expectStatus(200, call('PUT', natip, { body: { defaultSnat: true } }))
  return { ...machine, post, https, udp, datacenter: machine.network.datacenter }
}

const rels = ({ links }: Pick<NatExplanation, 'links'>) => links.map(({ rel }) => rel)

describe('the explanation of a packet', () => {
  test('a DNAT rule changes address and port of the destination, with links to the rule and the machine', async () => {
    const { datacenter, https, path } = await place()
    const answer = await explain(datacenter)
    expect(answer).toMatchObject({ address: '10.0.0.1', port: 8443 })
    expect(answer).not.toHaveProperty('reason')
    expect(answer.steps.map(({ kind, message }) => [kind, message])).toEqual([
      ['dnat', `Rule ${https} changes the destination from 192.0.2.1 port 443 to 10.0.0.1 port 8443`],
    ])
    expect(rels(answer)).toEqual(['rule', 'virtualmachine', 'device'])
    expect(answer.links[0]?.href).toBe(`${ORIGIN}${path}/natrules/${https}`)
  })

  test('a rule without ports covers every port of its protocol, and keeps the port', async () => {
    const { datacenter } = await place()
    expect(await explain(datacenter, { protocol: 'UDP', port: 53 })).toMatchObject({
      address: '10.0.0.2',
      port: 53,
    })
    expect(await explain(datacenter, { protocol: 'ANY' })).toMatchObject({
      steps: [],
      reason: expect.stringContaining('No DNAT rule of 192.0.2.1 covers other protocols'),
    })
  })

  test('the source becomes the NAT IP of the SNAT rule, else of the default SNAT', async () => {
    const { datacenter, post } = await place()
    const out = { from: '10.0.0.1', to: '198.51.100.7' }
    expect(await explain(datacenter, out)).toMatchObject({
      address: '192.0.2.2',
      steps: [{ kind: 'default', address: '192.0.2.2' }],
    })
    const rule = await post({ snat: true })
    const answer = await explain(datacenter, out)
    expect(answer).toMatchObject({ address: '192.0.2.1', steps: [{ kind: 'snat' }] })
    expect(answer).not.toHaveProperty('port')
    expect(answer.links[0]?.href).toMatch(new RegExp(`/natrules/${rule}$`))
  })

  test('a machine that calls a NAT IP is translated at both ends', async () => {
    const { datacenter } = await place()
    expect(await explain(datacenter, { from: '10.0.0.2' })).toMatchObject({
      address: '10.0.0.1',
      port: 8443,
      steps: [{ kind: 'dnat' }, { kind: 'default', address: '192.0.2.2' }],
    })
  })

  test('has the reason if nothing translates it', async () => {
    const { datacenter } = await place()
    const reason = async (asked: Asked) => (await explain(datacenter, asked)).reason
    expect(await reason({ port: 444 })).toBe(
      'No DNAT rule of 192.0.2.1 covers TCP port 444; 198.51.100.7 is no private IP of this datacenter',
    )
    expect(await reason({ to: '203.0.113.9' })).toContain('203.0.113.9 is no NAT IP of this datacenter')
    const { id } = await newCenter({ datacenter })
    await newPrivateIp(id, '10.9.9.9')
    expect(await reason({ from: '10.9.9.9', port: 1 })).toContain(
      '10.9.9.9 has neither an SNAT rule nor a default SNAT',
    )
  })

  test('shows no address of a machine that the caller does not see', async () => {
    const { datacenter, network } = await place()
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id], datacenters: [datacenter] })
    const stranger = await newUser({ enterpriseId: enterprise.id, scopeId: scope.id })
    const answer = await explain(datacenter, {}, stranger)
    expect(answer).toMatchObject({ steps: [{ kind: 'dnat', links: [] }] })
    expect(JSON.stringify(answer)).not.toContain('10.0.0.1')
    expect(await explain(datacenter, { from: '10.0.0.1', to: '198.51.100.7' }, stranger)).toMatchObject({
      steps: [],
      reason: expect.stringContaining('10.0.0.1 is no private IP of this datacenter'),
    })
    expect(network.cidr).toBe('192.0.2.0/24')
  })

  test('a range of ports and sources: the packet of another port or source is not translated, and the reason names the rule', async () => {
    const { datacenter, https } = await place()
    const change = (columns: { original_port_end?: number; sources?: string }) =>
      transaction((trx) => trx.updateTable('nat_rules').set(columns).where('id', '=', https).execute())
    await change({ original_port_end: 449 })
    const { steps, ...ranged } = await explain(datacenter, { port: 449 })
    expect(ranged).toMatchObject({ address: '10.0.0.1', port: 8443 })
    expect(steps[0]?.message).toContain('from 192.0.2.1 port 449 to 10.0.0.1 port 8443')
    const reason = async (asked: Asked, as = admin) => (await explain(datacenter, asked, as)).reason
    expect(await reason({ port: 450 })).toContain(`; rule ${https} covers the ports 443 to 449`)
    await change({ sources: '198.51.100.0/29,203.0.113.9/32' })
    for (const from of ['198.51.100.7', '203.0.113.9'])
      expect(await explain(datacenter, { from, port: 444 })).toMatchObject({
        address: '10.0.0.1',
        port: 8443,
      })
    const missed = `the sources of rule ${https} do not include 198.51.100.8`
    expect(await reason({ from: '198.51.100.8', port: 444 })).toContain(`; ${missed}`)
    expect(await reason({ from: '198.51.100.8', protocol: 'ANY' })).not.toContain('sources')
    const scope = await newScope({ enterprises: [], datacenters: [datacenter] })
    const stranger = await newUser({ scopeId: scope.id })
    expect(await reason({ from: '198.51.100.8', port: 444 }, stranger)).not.toContain('sources')
  })

  test('of two defaults for one private address the gateway takes one', async () => {
    const { datacenter, network, center } = await place()
    const other = await newCenter({ datacenter })
    await newPrivateIp(other.id, '10.0.0.1')
    const id = await attachIp(network, other.id, '192.0.2.5')
    await expectStatus(
      200,
      call('PUT', `${centerPath(other.id)}/natips/${id}`, { body: { defaultSnat: true } }),
    )
    expect(await explain(datacenter, { from: '10.0.0.1', to: '198.51.100.7' })).toMatchObject({
      address: '192.0.2.2',
    })
    expect(center).not.toBe(other.id)
  })

  test('takes XML too, and refuses an invalid packet', async () => {
    const { datacenter, https } = await place()
    const body =
      '<natpacket><from>198.51.100.7</from><to>192.0.2.1</to><protocol>TCP</protocol><port>443</port></natpacket>'
    const headers = {
      'content-type': 'application/vnd.service.natpacket+xml',
      accept: 'application/vnd.service.natexplanation+xml',
    }
    const xml = await expectStatus(200, call('POST', explainPath(datacenter), { body, headers }))
    expect(xml).toContain('<address>10.0.0.1</address><port>8443</port><steps>')
    expect(xml).toContain(`<message>Rule ${https} changes the destination`)
    const refused = (asked: object) =>
      expectStatus(400, call('POST', explainPath(datacenter), { body: { ...packet(), ...asked } }))
    await refused({ from: 'here' })
    await refused({ port: 0 })
    await refused({ port: null })
    await refused({ protocol: 'SCTP' })
    await expectStatus(404, call('POST', explainPath(987_654_321), { body: packet() }))
  })
})
