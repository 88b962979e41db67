import { describe, expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { call, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { type Network, networksPath } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { natSample } from '#lib/tools/testing/nat-sample'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const { datacenter, networks, hidden, machines, limited } = await natSample()

type Rule = {
  id: number
  snat: boolean
  protocol?: string
  originalPort?: number
  translatedPort?: number
  links: { rel: string; href: string; title?: string }[]
}

type List = { collection: Rule[]; totalSize: number; links: { rel: string; href: string }[] }

const allrules = `${networksPath(datacenter.id)}/action/allrules`

const rulesOf = ({ id }: Network): string => `${networksPath(datacenter.id)}/${id}/rules`

const list = (query = '', { path = allrules, as }: { path?: string; as?: User } = {}): Promise<List> =>
  expectStatus(200, call('GET', `${path}?${query}`, { ...(as && { as }) }))

const titleOf = ({ links }: Rule, rel: string): string | undefined =>
  links.find((link) => link.rel === rel)?.title

/** A short form of a rule: the NAT IP, then SNAT or the protocol and ports of DNAT. */
const wordsOf = (rule: Rule): string =>
  rule.snat
    ? `${titleOf(rule, 'translated')} SNAT`
    : [titleOf(rule, 'original'), rule.protocol, rule.originalPort, rule.translatedPort]
        .filter(Boolean)
        .join(' ')

const words = async (query = '', options = {}): Promise<string[]> =>
  (await list(query, options)).collection.map(wordsOf)

const all = [
  '10.0.0.2 TCP 443 8443',
  '10.0.0.2 SNAT',
  '10.0.0.2 TCP 80 8080',
  '10.0.0.3 UDP 53 53',
  '10.0.0.10 ANY',
  '10.0.0.10 TCP 80 80',
  '2001:db8::2 TCP 22 22',
  '2001:db8::2 SNAT',
]

/** The short forms of the rules at these indexes, in this order. */
const rulesAt = (...indexes: number[]): (string | undefined)[] => indexes.map((index) => all[index])

describe('allrules', () => {
  test('lists all rules, ordered by NAT IP as a number, then by id', async () => {
    expect(await words()).toEqual(all)
    expect(await words('by=IP&asc=false')).toEqual(all.toReversed())
    expect((await list()).totalSize).toBe(8)
  })

  test.each([
    ['', 8, 5, 2],
    ['snat=true', 2, 1, 1],
    ['snat=false', 6, 4, 1],
  ])(
    'with %j has exact totals: of the datacenter %d, of two networks %d and %d',
    async (filter, ...totals) => {
      for (const [index, path] of [allrules, rulesOf(networks.four), rulesOf(networks.six)].entries()) {
        const whole = await list(`limit=0&${filter}`, { path })
        expect([path, whole.totalSize, whole.collection.length]).toEqual([path, totals[index], totals[index]])
        expect(whole.collection.every(({ snat }) => filter === '' || snat === (filter === 'snat=true'))).toBe(
          true,
        )
        expect((await list(`limit=1&${filter}`, { path })).totalSize).toBe(totals[index])
      }
    },
  )

  test.each([
    ['protocol', [1, 7, 4, 0, 2, 5, 6, 3]],
    ['originalPort', [1, 4, 7, 6, 3, 2, 5, 0]],
    ['translatedPort', [1, 4, 7, 6, 3, 5, 2, 0]],
    ['snat', [0, 2, 3, 4, 5, 6, 1, 7]],
    ['virtualmachine', [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('is ordered by %s, then by NAT IP, then by id; descending is the exact reverse', async (by, order) => {
    expect(await words(`by=${by}`)).toEqual(rulesAt(...order))
    expect(await words(`by=${by}&asc=false`)).toEqual(rulesAt(...order).toReversed())
  })

  test.each(['ip', 'protocol', 'originalPort', 'translatedPort', 'snat', 'virtualmachine'])(
    'ordered by %s has pages that are slices of the full export, in both directions',
    async (by) => {
      for (const asc of [true, false]) {
        const query = `by=${by}&asc=${asc}`
        const whole = (await list(`${query}&limit=0`)).collection
        for (const startwith of [0, 2, 4, 5, 7]) {
          const page = await list(`${query}&limit=3&startwith=${startwith}`)
          expect(page.collection).toEqual(whole.slice(startwith, startwith + 3))
        }
        expect((await list(`${query}&limit=3&startwith=999975`)).collection).toEqual(whole.slice(-3))
      }
    },
  )

  test.each([
    ['a NAT IP', '10.0.0.1', [4, 5]],
    ['a NAT IP in any case', '2001:DB8', [6, 7]],
    ['a private IP', '192.168.0', [0, 1, 2, 3, 4]],
    ['a protocol in any case', 'uDp', [3]],
    ['a machine in any case', 'vault', [5, 6, 7]],
  ])('is searched for %s', async (_what, has, found) => {
    const { collection, totalSize } = await list(`has=${has}`)
    expect(collection.map(wordsOf)).toEqual(rulesAt(...found))
    expect(totalSize).toBe(found.length)
  })

  test('is searched by literal text, and together with the filter', async () => {
    for (const has of ['10_0', '%25', '8443', 'nothing']) expect((await list(`has=${has}`)).totalSize).toBe(0)
    expect(await words('has=2001:db8&snat=true')).toEqual(rulesAt(7))
  })

  test('refuses invalid parameters', async () => {
    for (const query of ['snat=both', 'asc=1', 'limit=x', 'startwith=-1', 'protocol=ICMP', 'enterprise=x']) {
      expect(await refusal(call('GET', `${allrules}?${query}`))).toEqual([400, 'GEN-22'])
    }
    expect(await refusal(call('GET', `${allrules}?by=network`))).toEqual([400, 'QUERY-0'])
  })

  test('keeps its filter in the page links', async () => {
    const { links } = await list('snat=false&limit=5&has=10.0')
    const base = `${ORIGIN}${allrules}?snat=false&`
    expect(links).toEqual([
      { rel: 'first', href: `${base}limit=5&has=10.0&by=ip` },
      { rel: 'last', href: `${base}startwith=0&limit=5&has=10.0&by=ip` },
    ])
  })

  test('can be exported in XML', async () => {
    const headers = { accept: 'application/vnd.service.natrules+xml' }
    const xml = await expectStatus(200, call('GET', `${allrules}?limit=0`, { headers }))
    expect(xml.match(/<natrule>/g)).toHaveLength(8)
    expect(xml).toContain('<snat>false</snat><protocol>TCP</protocol><originalPort>443</originalPort>')
  })
})

describe('a NAT rule', () => {
  const network = `${ORIGIN}${networksPath(datacenter.id)}/${networks.four.id}`
  const { id, name, virtualDatacenter, privateIps } = machines.seen
  const virtual = `${ORIGIN}/api/cloud/virtualdatacenters/${virtualDatacenter}`
  const type = (kind: string) => `application/vnd.service.${kind}+json`
  const link = (rel: string, href: string, kind: string, title: string) => ({
    rel,
    href,
    type: type(kind),
    title,
  })

  test('for DNAT has ports and a protocol, and leads from the NAT IP to the private one', async () => {
    const [rule] = (await list()).collection
    const machine = expect.stringMatching(`^${virtual}/virtualappliances/\\d+/virtualmachines/${id}$`)
    expect(rule).toEqual({
      links: [
        {
          rel: 'self',
          href: expect.stringMatching(`/virtualmachines/${id}/natrules/${rule?.id}$`),
          type: type('natrule'),
        },
        link('virtualmachine', machine, 'virtualmachine', name),
        link('virtualdatacenter', virtual, 'virtualdatacenter', expect.stringContaining('B visible')),
        link('original', expect.stringContaining(`${network}/ips/`), 'natip', '10.0.0.2'),
        link('translated', `${virtual}/privateips/${privateIps[0]}`, 'privateip', '192.168.0.5'),
        link('natnetwork', network, 'natnetwork', networks.four.name),
        link('datacenter', expect.stringMatching(/datacenters\/\d+$/), 'datacenter', datacenter.name),
      ],
      id: expect.any(Number),
      deviceState: 'unmanaged',
      enabled: true,
      ...noNotes,
      snat: false,
      protocol: 'TCP',
      originalPort: 443,
      translatedPort: 8443,
    })
  })

  test('for SNAT has neither, and leads from the private IP to the NAT IP', async () => {
    const [rule] = (await list('snat=true')).collection
    expect(rule).toEqual({
      links: expect.any(Array),
      id: expect.any(Number),
      snat: true,
      enabled: true,
      ...noNotes,
      deviceState: 'unmanaged',
    })
    expect(rule?.links).toEqual(
      expect.arrayContaining([
        link('original', `${virtual}/privateips/${privateIps[0]}`, 'privateip', '192.168.0.5'),
        link('translated', expect.stringContaining(`${network}/ips/`), 'natip', '10.0.0.2'),
      ]),
    )
  })

  test('for all ports has no port', async () => {
    const [rule] = (await list('has=any')).collection
    expect(rule).toEqual({
      links: expect.any(Array),
      id: expect.any(Number),
      snat: false,
      protocol: 'ANY',
      enabled: true,
      ...noNotes,
      deviceState: 'unmanaged',
    })
  })
})

describe('a caller who cannot see the enterprise of a machine', () => {
  test('can see its rules, without the machine and its private IP', async () => {
    const whole = await list('limit=0', { as: limited })
    expect(whole.totalSize).toBe(8)
    const text = JSON.stringify(whole)
    for (const word of [
      hidden.name,
      'Vault',
      'secret',
      '172.30.9.9',
      `/virtualdatacenters/${machines.hidden.virtualDatacenter}/`,
    ]) {
      expect(text).not.toContain(word)
    }
    const foreign = whole.collection.find((rule) => titleOf(rule, 'natnetwork') === networks.again.name)
    expect(foreign?.links.map(({ rel }) => rel)).toEqual(['original', 'natnetwork', 'datacenter'])
  })

  test('cannot find the rules by the machine or its private IP, but by visible text', async () => {
    for (const has of ['vault', '172.30', machines.hidden.name]) {
      expect(await list(`has=${encodeURIComponent(has)}`, { as: limited })).toMatchObject({
        collection: [],
        totalSize: 0,
      })
    }
    expect(await words('has=2001:db8', { as: limited })).toHaveLength(2)
    expect(await words('has=web', { as: limited })).toEqual(rulesAt(0, 1, 2, 3, 4))
    expect(await words('has=192.168', { as: limited })).toEqual(rulesAt(0, 1, 2, 3, 4))
  })

  test('cannot infer the machine from the order', async () => {
    const rules = (await list('by=virtualmachine', { as: limited })).collection
    expect(rules.map((rule) => titleOf(rule, 'virtualmachine') ?? '')).toEqual([
      '',
      '',
      '',
      ...Array(5).fill(machines.seen.name),
    ])
  })
})

test('the list of a network has its own rules, with the parameters of allrules', async () => {
  const path = rulesOf(networks.four)
  expect(await words('', { path })).toEqual(rulesAt(0, 1, 2, 3, 4))
  expect(await words('snat=false&by=originalPort&limit=2', { path })).toEqual(rulesAt(4, 3))
  expect((await list('snat=true', { path })).links[0]?.href).toContain(
    `/natnetworks/${networks.four.id}/rules?snat=true&`,
  )
  expect(await refusal(call('GET', `${networksPath(datacenter.id)}/999999999/rules`))).toEqual([
    404,
    'NAT-NET-1',
  ])
})

test('the lists of one NAT IP and of one machine have its rules, with the same parameters', async () => {
  const [rule] = (await list()).collection
  const pathOf = (rel: string, end: string) =>
    new URL(`${rule?.links.find((link) => link.rel === rel)?.href}/${end}`).pathname
  for (const [path, query, found] of [
    [pathOf('original', 'rules'), '', [0, 1, 2]],
    [pathOf('original', 'rules'), 'snat=false&by=translatedPort', [2, 0]],
    [pathOf('original', 'rules'), 'has=UDP', []],
    [pathOf('virtualmachine', 'natrules'), 'by=protocol&asc=false', [3, 2, 0, 4, 1]],
    [pathOf('virtualmachine', 'natrules'), 'has=10.0.0.10', [4]],
    [pathOf('virtualmachine', 'natrules'), 'snat=true', [1]],
  ] as const) {
    const shown = await list(`${query}&limit=9`, { path })
    expect([path, query, ...shown.collection.map(wordsOf)]).toEqual([path, query, ...rulesAt(...found)])
    expect(shown.totalSize).toBe(found.length)
    const filter = query.startsWith('snat') ? `${query.split('&')[0]}&` : ''
    expect(shown.links[0]?.href).toContain(`${ORIGIN}${path}?${filter}limit=9`)
  }
})

test('rules are selected by the filter of their list; each deletion is in the totals', async () => {
  const machine = await newMachineWithIps()
  const place = networksPath(machine.network.datacenter)
  const other = { natIp: machine.natIps[1], privateIp: machine.privateIps[1] }
  for (const body of [
    ruleBody(machine, dnat(80)),
    ruleBody(machine, dnat(80), other),
    ruleBody(machine, { snat: true }),
    ruleBody(machine, { snat: true }, other),
  ])
    await expectStatus(201, call('POST', `${machine.path}/natrules`, { body }))
  const path = `${place}/action/allrules`
  const totals = async () => {
    const counts = ['', 'snat=true', 'snat=false'].map(
      async (query) => (await list(query, { path })).totalSize,
    )
    return Promise.all(counts)
  }
  expect(await totals()).toEqual([4, 2, 2])
  for (const [filter, changed, after] of [
    ['has=nothing', 0, [4, 2, 2]],
    ['snat=false&has=192.0.2.2', 1, [3, 2, 1]],
    ['has=10.0.0.2', 1, [2, 1, 1]],
    ['snat=true', 1, [1, 0, 1]],
    ['', 1, [0, 0, 0]],
  ] as const) {
    const report = await expectStatus(200, call('POST', `${place}/action/deleterules`, { body: { filter } }))
    expect([filter, report.changed, await totals()]).toEqual([filter, changed, after])
  }
})

test('the lists of rules require PHYS_DC_RETRIEVE_DETAILS and a visible datacenter', async () => {
  const away = await newUser({ scopeId: (await newScope()).id })
  const customises = await newUser({
    privileges: ['PHYS_DC_ENUMERATE', 'VAPP_CUSTOMISE_SETTINGS', 'VDC_MANAGE_VAPP'],
  })
  const details = await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'] })
  for (const path of [allrules, rulesOf(networks.four)]) {
    expect(await refusal(call('GET', path, { as: away }))).toEqual([404, 'DC-0'])
    await expectStatus(403, call('GET', path, { as: customises }))
    await expectStatus(200, call('GET', path, { as: details }))
  }
})

const everywhere = '/api/admin/natnetworks/action/allrules'

test.each([
  ['snat', allrules],
  ['protocol', allrules],
  ['network', allrules],
  ['enterprise', allrules],
  ['virtualmachine', allrules],
  ['protocol', rulesOf(networks.four)],
  ['enterprise', rulesOf(networks.four)],
  ['virtualmachine', rulesOf(networks.four)],
  ['datacenter', everywhere],
])('a wrong filter by %s is refused by its name at %s', async (name, path) => {
  const { collection } = await expectStatus(400, call('GET', `${path}?${name}=wrong`))
  expect(collection[0].message).toContain(name)
  if (name === 'protocol') expect(collection[0].message).toContain('TCP, UDP, ANY')
})
