import { describe, expect, test } from 'vitest'
import { call, expectStatus, newUser } from '#lib/tools/testing/client'
import {
  eventsOf,
  hrefOf,
  newPlace,
  newPrivateIp,
  nicLink,
  privateIpsPath,
  refer,
  requireSameInXml,
} from '#lib/tools/testing/inventory'
import { addIps, attach, ipOf, type Network, networksPath, newNetwork } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'

/** A machine with a private IP, and a NAT IP that is attached to its virtual datacenter. */
async function natPlace() {
  const place = await newPlace()
  const network = await newNetwork({ datacenter: place.datacenter, cidr: '198.51.100.0/24' })
  await addIps(network, { count: 2 })
  await attach(network, place.center, '198.51.100.1')
  const privateIp = await newPrivateIp(place.center, '10.0.0.1')
  const natPath = (id: number) => `${networksPath(place.datacenter)}/${network.id}/ips/${id}`
  const ends = {
    nat: natPath((await ipOf(network, '198.51.100.1')).id),
    free: natPath((await ipOf(network, '198.51.100.2')).id),
    own: `${privateIpsPath(place.center)}/${privateIp}`,
  }
  const snat = { snat: true, links: [refer('original', ends.own), refer('translated', ends.nat)] }
  const dnat = {
    snat: false,
    protocol: 'TCP',
    originalPort: 443,
    translatedPort: 8443,
    links: [refer('original', ends.nat), refer('translated', ends.own)],
  }
  return { ...place, network, ends, snat, dnat, nic: nicLink(0, place.center, privateIp) }
}

const rulesOf = async ({ datacenter, id }: Network): Promise<number> =>
  (await expectStatus(200, call('GET', `${networksPath(datacenter)}/${id}`))).rules

const portsOf = (machine: { natrules: { originalPort?: number; snat: boolean }[] }) =>
  machine.natrules.map(({ snat, originalPort }) => (snat ? 'SNAT' : originalPort))

/** A user who may change machines, but not their rules. */
const withoutRules = () => newUser({ privileges: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] })

describe('the rules in the document of a machine', () => {
  test('are created with the machine, for the private IPs that it attaches', async () => {
    const { make, network, snat, dnat, nic, ends } = await natPlace()
    const { document, path } = await make({ links: [nic], natrules: [snat, dnat] })
    expect(portsOf(document).sort()).toEqual([443, 'SNAT'])
    const rule = document.natrules.find((each: { snat: boolean }) => !each.snat)
    expect(rule).toMatchObject({ protocol: 'TCP', originalPort: 443, translatedPort: 8443 })
    expect(hrefOf(rule, 'original')).toContain(ends.nat)
    expect(await expectStatus(200, call('GET', path))).toEqual(document)
    expect(await rulesOf(network)).toBe(2)
  })

  test('are replaced as a whole, and removed if the document has none (docs/api/conventions.md, "Values")', async () => {
    const { make, network, snat, dnat, nic } = await natPlace()
    const { document, path } = await make({ links: [nic], natrules: [dnat] })
    const put = (natrules?: object[]) =>
      expectStatus(200, call('PUT', path, { body: { ...document, natrules } }))
    expect(portsOf(await put([snat, { ...dnat, originalPort: 80, translatedPort: 8080 }])).sort()).toEqual([
      80,
      'SNAT',
    ])
    expect(await rulesOf(network)).toBe(2)
    expect(portsOf(await put())).toEqual([])
    expect(await rulesOf(network)).toBe(0)
  })

  test('are unchanged if the document is sent back, in JSON and in XML', async () => {
    const { make, snat, dnat, nic } = await natPlace()
    const { document, path } = await make({ links: [nic], natrules: [snat, dnat] })
    expect(await expectStatus(200, call('PUT', path, { body: document }))).toEqual(document)
    expect(await requireSameInXml(path, 'virtualmachine')).toMatch(/<natrules>.*<\/natrules><natrules>/)
  })

  test('have all their faults reported, and a refused document changes nothing', async () => {
    const { make, post, network, snat, dnat, nic, ends } = await natPlace()
    const { document, path } = await make({ links: [nic], natrules: [dnat] })
    const put = (...natrules: object[]) =>
      refusal(call('PUT', path, { body: { ...document, name: 'Changed', natrules } }))
    expect(await put({ ...snat, protocol: 'TCP' }, { ...dnat, protocol: 'ICMP' })).toEqual([
      400,
      'NAT-RULE-15',
      'NAT-RULE-13',
    ])
    const elsewhere = { ...snat, links: [refer('original', ends.own), refer('translated', ends.free)] }
    expect(await put(elsewhere)).toEqual([409, 'NAT-IP-8'])
    expect(await refusal(post({ name: 'X', natrules: [snat] }))).toEqual([409, 'NAT-RULE-11'])
    expect(await expectStatus(200, call('GET', path))).toEqual(document)
    expect(await rulesOf(network)).toBe(1)
  })

  test('can be changed only with VAPP_CUSTOMISE_SETTINGS (docs/api/nat-rules.md, "NAT rules"); others must send them back unchanged', async () => {
    const { make, post, network, snat, dnat, nic, ends } = await natPlace()
    const { document, path } = await make({ links: [nic], natrules: [snat, dnat] })
    const as = await withoutRules()
    const put = (change: object) => call('PUT', path, { as, body: { ...document, ...change } })
    expect(await expectStatus(200, put({ name: 'Renamed' }))).toMatchObject({ name: 'Renamed' })
    await expectStatus(200, put({ natrules: [dnat, snat] }))
    const unknown = { ...dnat, links: [refer('original', `${ends.nat}99999`), refer('translated', ends.own)] }
    for (const natrules of [undefined, [], [snat], [snat, { ...dnat, originalPort: 444 }], [unknown]]) {
      const response = await put({ natrules })
      expect([response.status, response.headers.get('content-type')]).toEqual([
        403,
        expect.stringMatching(/^text\/html/),
      ])
    }
    expect((await post({ name: 'X', natrules: [snat] }, as)).status).toBe(403)
    await expectStatus(201, post({ name: 'Without rules' }, as))
    expect(await rulesOf(network)).toBe(2)
  })

  test('are deleted with the machine, and the totals of the network stay correct', async () => {
    const { make, network, snat, dnat, nic, ends } = await natPlace()
    const { id, path } = await make({ links: [nic], natrules: [snat, dnat] })
    await expectStatus(204, call('DELETE', path, { as: await withoutRules() }))
    expect(await rulesOf(network)).toBe(0)
    const all = `${networksPath(network.datacenter)}/action/allrules`
    expect(await expectStatus(200, call('GET', all))).toMatchObject({ totalSize: 0, collection: [] })
    await expectStatus(204, call('DELETE', ends.own))
    const events = await eventsOf('virtualmachine', id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'delete'])
    expect(events[1].changes.natrules.before).toContain('443')
  })
})
