import { expect, test } from 'vitest'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { type Collection, idOfLink, linkOf } from '#lib/ground/http/view'
import { call, expectStatus, ORIGIN, type User } from '#lib/tools/testing/client'
import { networksPath, newDatacenter, newMachine } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { refusal } from '#lib/tools/testing/refusal'

const { datacenter, networks, seen, hidden, machines, limited } = await natSample()

const allrules = `${networksPath(datacenter.id)}/action/allrules`
const rulesOfFour = `${networksPath(datacenter.id)}/${networks.four.id}/rules`

type ReadContext = { path?: string; as?: User | undefined }

const list = (query = '', { path = allrules, as }: ReadContext = {}): Promise<Collection<NatRuleDocument>> =>
  expectStatus(200, call('GET', `${path}?${query}`, { ...(as && { as }) }))

const machineOf = (rule: NatRuleDocument): number | undefined => idOfLink(linkOf(rule, 'virtualmachine'))

type Filters = Partial<Record<'snat' | 'protocol' | 'enterprise' | 'virtualmachine', unknown>>

const owners = { [seen.id]: machines.seen.id, [hidden.id]: machines.hidden.id }

const passes = (rule: NatRuleDocument, { snat, protocol, enterprise, virtualmachine }: Filters): boolean =>
  (snat === undefined || rule.snat === snat) &&
  (protocol === undefined || rule.protocol === protocol) &&
  (enterprise === undefined || machineOf(rule) === owners[Number(enterprise)]) &&
  (virtualmachine === undefined || machineOf(rule) === virtualmachine)

const every = [undefined, true, false].flatMap((snat) =>
  [undefined, 'TCP', 'UDP', 'ANY'].flatMap((protocol) =>
    [
      {},
      { enterprise: seen.id },
      { virtualmachine: machines.hidden.id },
      { virtualmachine: machines.seen.id },
    ].map(
      (held): Filters => ({ ...(snat !== undefined && { snat }), ...(protocol && { protocol }), ...held }),
    ),
  ),
)

test('the filters of NAT rules match the model in every combination, with exact totals', async () => {
  for (const path of [allrules, rulesOfFour]) {
    const whole = (await list('limit=0', { path })).collection
    for (const filters of every) {
      const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
      const expected = whole.filter((rule) => passes(rule, filters)).map(({ id }) => id)
      const { collection, totalSize } = await list(`limit=2&${query}`, { path })
      expect([`${query}`, totalSize, ...collection.map(({ id }) => id)]).toEqual([
        `${query}`,
        expected.length,
        ...expected.slice(0, 2),
      ])
    }
  }
})

test('the filter network shows the rules of one network', async () => {
  const six = `network=${networks.six.id}`
  const { collection, totalSize } = await list(six)
  expect([totalSize, collection.length]).toEqual([2, 2])
  expect(await list(`${six}&protocol=TCP&limit=1`)).toMatchObject({ totalSize: 1 })
  expect(await list(`${six}&enterprise=${seen.id}`)).toMatchObject({ totalSize: 0 })
})

test('filters by hidden resources are refused', async () => {
  for (const as of [undefined, limited]) {
    expect((await list(`enterprise=${seen.id}`, { as })).totalSize).toBe(5)
    expect((await list(`virtualmachine=${machines.seen.id}&protocol=TCP`, { as })).totalSize).toBe(2)
  }
  const ask = (query: string, path = allrules) => refusal(call('GET', `${path}?${query}`, { as: limited }))
  for (const path of [allrules, rulesOfFour]) {
    expect(await ask(`enterprise=${hidden.id}`, path)).toEqual([404, 'EN-0'])
    expect(await ask(`virtualmachine=${machines.hidden.id}`, path)).toEqual([404, 'VM-0'])
  }
  expect(await ask('network=999999999&virtualmachine=999999999')).toEqual([404, 'NAT-NET-1', 'VM-0'])
})

test('a filter by a machine in a hidden datacenter is refused', async () => {
  const elsewhere = await newMachine({ datacenter: (await newDatacenter()).id, enterprise: seen.id })
  const path = `${allrules}?virtualmachine=${elsewhere.id}`
  expect(await refusal(call('GET', path, { as: limited }))).toEqual([404, 'VM-0'])
  expect(await expectStatus(200, call('GET', path))).toMatchObject({ totalSize: 0 })
})

test('page links have the filters, which work in XML and in every order', async () => {
  const query = `snat=false&protocol=TCP&network=${networks.four.id}&enterprise=${seen.id}&virtualmachine=${machines.seen.id}`
  const { links } = await list(`${query}&limit=1`)
  expect(links[0]?.href).toBe(`${ORIGIN}${allrules}?${query}&limit=1&by=ip`)
  const headers = { accept: 'application/vnd.service.natrules+xml' }
  const xml = await expectStatus(200, call('GET', `${allrules}?protocol=UDP`, { headers }))
  expect(xml.match(/<protocol>[^<]*/g)).toEqual(['<protocol>UDP'])
  for (const by of ['protocol', 'originalport', 'virtualmachine'])
    expect((await list(`${query}&by=${by}`)).totalSize).toBe(2)
})

test('an invalid filter value is refused', async () => {
  for (const query of ['protocol=SCTP', 'protocol=', 'network=0', 'virtualmachine=x'])
    expect(await refusal(call('GET', `${allrules}?${query}`))).toEqual([400, 'GEN-22'])
})
