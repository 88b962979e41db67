import { describe, expect, test } from 'vitest'
import { insertRules } from '#lib/cloud/nat/rules.server'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, newEnterprise, newUser, type User } from '#lib/tools/testing/client'
import { centerPath, eventsOf } from '#lib/tools/testing/inventory'
import { addRule as insertRule, networksPath, newMachine } from '#lib/tools/testing/nat'
import { dnat, ipsPath, type MachineWithIps, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

/* NAT rules for a range of ports, and for some clients. */

type Rule = {
  id: number
  originalPort?: number
  originalPortEnd?: number
  sources?: string[]
  links: object[]
}

const read = (path: string) => expectStatus(200, call('GET', path))
const ruleIn = ({ path }: MachineWithIps, { id }: { id: number }): string => `${path}/natrules/${id}`
const range = { ...dnat(2000), originalPortEnd: 2999 }
const sources = ['198.51.100.0/24', '192.0.2.7/32']

const post = (at: MachineWithIps, rule: object, natIp?: number) =>
  call('POST', `${at.path}/natrules`, {
    body: { ...ruleBody(at, { ...dnat(80), ...rule }, natIp === undefined ? {} : { natIp }), ...rule },
  })

const addRule = (at: MachineWithIps, rule: object): Promise<Rule> => expectStatus(201, post(at, rule))

const put = (at: MachineWithIps, rule: Rule, change: object) =>
  call('PUT', ruleIn(at, rule), { body: { ...rule, ...change } })

const undoLast = async (rule: Rule) => {
  const events = await eventsOf('natrule', rule.id)
  const event = events.find(({ action }: { action: string }) => action === 'update')
  return expectStatus(200, call('POST', `/api/events/${event.id}/action/undo`))
}

const planOf = (body: object) => expectStatus(201, call('POST', '/api/plans', { body }))
const apply = ({ id }: { id: number }) => expectStatus(200, call('POST', `/api/plans/${id}/action/apply`))

describe('a range of ports and the sources of a rule', () => {
  test('are in its document, in XML, in CSV and in an export', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, { ...range, sources: ['198.51.100.0/24 ', ...sources.slice(1)] })
    expect(rule).toMatchObject({ originalPort: 2000, originalPortEnd: 2999, sources })
    const rules = `${networksPath(at.network.datacenter)}/action/allrules`
    const xml = await (await call('GET', rules, { headers: { accept: 'application/xml' } })).text()
    expect(xml).toContain('<originalPortEnd>2999</originalPortEnd>')
    expect(xml).toContain('<sources>198.51.100.0/24</sources>')
    const csv = await (await call('GET', rules, { headers: { accept: 'text/csv' } })).text()
    expect(csv).toContain(',2999,198.51.100.0/24|192.0.2.7/32')
    const { name } = await read(`/api/admin/datacenters/${at.network.datacenter}`)
    const { natrules } = await read('/api/export?entity=natrules')
    const own = natrules.filter(({ datacenter }: { datacenter: string }) => datacenter === name)
    expect(own).toMatchObject([{ originalPort: 2000, originalPortEnd: 2999, sources }])
    expect(await planOf({ mode: 'merge', natrules: own })).toMatchObject({ operations: [], refusals: [] })
  })

  test.each([
    ['not greater than its first port', { ...range, originalPortEnd: 2000 }, 'NAT-RULE-16'],
    ['without a first port', { ...range, originalPort: undefined, translatedPort: undefined }, 'NAT-RULE-16'],
    ['of every protocol', { ...range, protocol: 'ANY' }, 'NAT-RULE-16'],
    [
      'of SNAT',
      {
        snat: true,
        protocol: undefined,
        originalPort: undefined,
        translatedPort: undefined,
        originalPortEnd: 9,
      },
      'NAT-RULE-16',
    ],
    ['host bits that are not zero', { ...range, sources: ['198.51.100.1/24'] }, 'NAT-RULE-17'],
    ['no network', { ...range, sources: ['all'] }, 'NAT-RULE-17'],
    ['of the other family', { ...range, sources: ['2001:db8::/32'] }, 'NAT-RULE-17'],
    ['inside another source', { ...range, sources: ['10.1.0.0/16', '10.0.0.0/8'] }, 'NAT-RULE-17'],
    ['twice', { ...range, sources: ['10.0.0.0/8', '10.0.0.0/8'] }, 'NAT-RULE-17'],
    [
      'of an SNAT rule',
      { snat: true, protocol: undefined, originalPort: undefined, translatedPort: undefined, sources },
      'NAT-RULE-17',
    ],
  ])('are refused: %s', async (_why, rule, code) => {
    const answer = await post(await newMachineWithIps(), rule)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(`"${code}"`)])
  })

  test('say which network a faulty source means', async () => {
    const answer = await post(await newMachineWithIps(), { ...range, sources: ['198.51.100.1/24'] })
    expect(JSON.stringify(await answer.json())).toContain('did you mean 198.51.100.0/24?')
  })

  test('are refused above 50 sources', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`)
    expect((await post(await newMachineWithIps(), { ...range, sources: many })).status).toBe(400)
  })
})

let three: ReturnType<typeof makeThreeRules> | undefined
const threeRules = () => {
  three ??= makeThreeRules()
  return three
}

/** Three rules of one NAT IP and one of another, and the lists of the first. */
async function makeThreeRules() {
  const at = await newMachineWithIps()
  const [natIp, other] = at.natIps
  const names = new Map([
    [(await addRule(at, range)).id, 'range'],
    [(await addRule(at, dnat(3000))).id, 'one'],
    [(await addRule(at, { protocol: 'UDP', originalPort: undefined, translatedPort: undefined })).id, 'all'],
    [(await addRule(at, { snat: true, ...noPorts })).id, 'outbound'],
  ])
  await expectStatus(201, post(at, range, other))
  return {
    names,
    lists: [`${ipsPath(at.network)}/${natIp}/rules`, `${centerPath(at.center)}/natips/${natIp}/rules`],
  }
}

const noPorts = { protocol: undefined, originalPort: undefined, translatedPort: undefined }

describe('a range overlaps', () => {
  test.each([
    [dnat(2999), 409],
    [dnat(3000), 201],
    [{ ...dnat(1000), originalPortEnd: 2000 }, 409],
    [{ ...dnat(1000), originalPortEnd: 1999 }, 201],
    [{ ...dnat(2500), sources }, 409],
    [{ ...dnat(2500), protocol: 'UDP' }, 201],
    [{ ...dnat(2500), protocol: 'ANY' }, 409],
    [{ snat: false, protocol: 'UDP', originalPort: undefined, translatedPort: undefined }, 201],
    [{ snat: false, protocol: 'TCP', originalPort: undefined, translatedPort: undefined }, 409],
  ])('%j: %i', async (rule, status) => {
    const at = await newMachineWithIps()
    await addRule(at, { ...range, enabled: false })
    expect((await post(at, rule)).status).toBe(status)
  })

  test('and the refusal names the rule in the way', async () => {
    const at = await newMachineWithIps()
    await addRule(at, { ...range, enabled: false })
    const why = 'This original port and protocol are already used on this NAT IP by the rule'
    const { collection } = await (await post(at, dnat(2500))).json()
    expect(collection).toMatchObject([{ message: `${why} TCP 2000-2999 → Machine:2000 (disabled)` }])
    await addRule(at, { snat: false, protocol: 'UDP', originalPort: undefined, translatedPort: undefined })
    const { collection: faults } = await (await post(at, { ...dnat(9), protocol: 'UDP' })).json()
    expect(faults).toMatchObject([{ message: `${why} UDP all ports → Machine`, field: 'originalPort' }])
  })

  test('and the refusal names no rule of a machine that the caller does not see', async () => {
    const at = await newMachineWithIps()
    const { datacenter } = at.network
    const { id: enterprise } = await newEnterprise()
    const hidden = await newMachine({ datacenter, enterprise, privateIps: ['172.30.9.9'] })
    await insertRule(at.network, '192.0.2.1', hidden, {
      protocol: 'TCP',
      originalPort: 80,
      translatedPort: 80,
    })
    const scope = await newScope({ datacenters: [datacenter], enterprises: [at.enterprise] })
    const as = await newUser({ scopeId: scope.id })
    const body = ruleBody(at, dnat(80))
    const messageFor = async (user?: User) => {
      const { collection } = await (
        await call('POST', `${at.path}/natrules`, { body, ...(user && { as: user }) })
      ).json()
      return collection[0].message
    }
    expect(await messageFor()).toContain('by the rule TCP 80 → ')
    expect(await messageFor(as)).toBe('This original port and protocol are already used on this NAT IP')
  })

  test('with no rule of another NAT IP, and its ports are not free', async () => {
    const at = await newMachineWithIps()
    await addRule(at, range)
    await expectStatus(201, post(at, range, at.natIps[1]))
    const free = async (port: number) =>
      (await read(`${centerPath(at.center)}/natips?freefor=TCP:${port}`)).collection.length
    expect([await free(1999), await free(2000), await free(2999), await free(3000)]).toEqual([2, 0, 0, 2])
  })

  test.each([
    ['TCP:2000-2999', ['range']],
    ['TCP:1-2000', ['range']],
    ['TCP:1-1999', []],
    ['TCP:2999-65535', ['range', 'one']],
    ['TCP:3000', ['one']],
    ['UDP:2500', ['all']],
    ['ANY:2500', ['range', 'all']],
    ['TCP', ['range', 'one']],
    ['ANY', ['range', 'one', 'all']],
  ])('with the rules of the filter overlaps=%s', async (overlaps, expected) => {
    const { lists, names } = await threeRules()
    for (const path of lists) {
      const { collection, totalSize } = await read(`${path}?overlaps=${overlaps}`)
      expect([totalSize, collection.map(({ id }: Rule) => names.get(id))]).toEqual([
        expected.length,
        expected,
      ])
    }
  })

  test.each(['', 'SCTP', 'TCP:', 'TCP:0', 'TCP:65536', 'TCP:2-1', 'TCP:1-2-3', 'tcp:1'])(
    'is refused as the filter overlaps=%s',
    async (overlaps) => {
      const { lists } = await threeRules()
      expect(await refusal(call('GET', `${lists[0]}?overlaps=${overlaps}`))).toEqual([400, 'GEN-22'])
    },
  )

  test('also when it is widened', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, range)
    await addRule(at, dnat(3000))
    expect(await refusal(put(at, rule, { originalPortEnd: 3000 }))).toEqual([409, 'NAT-RULE-3'])
    expect(await expectStatus(200, put(at, rule, { originalPortEnd: 2100 }))).toMatchObject({
      id: rule.id,
      originalPortEnd: 2100,
    })
  })
})

describe('a change of a rule', () => {
  test('keeps its sources where they are missing, and clears them by an empty list', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, { ...range, sources })
    expect(await expectStatus(200, put(at, rule, { sources: undefined }))).toMatchObject({ sources })
    const cleared = await expectStatus(200, put(at, rule, { sources: [], originalPortEnd: undefined }))
    expect(cleared).not.toHaveProperty('sources')
    expect(cleared).not.toHaveProperty('originalPortEnd')
    await undoLast(rule)
    expect(await read(ruleIn(at, rule))).toMatchObject({ id: rule.id, originalPortEnd: 2999, sources })
    expect(await refusal(put(at, rule, { sources: ['2001:db8::/32'] }))).toEqual([400, 'NAT-RULE-17'])
  })

  test('by a program that does not know the fields opens it to nobody', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, { ...range, sources })
    const machine = await read(at.path)
    const natrules = machine.natrules.map(({ originalPortEnd: _end, sources: _sources, ...old }: Rule) => old)
    await expectStatus(200, call('PUT', at.path, { body: { ...machine, natrules } }))
    expect(await read(ruleIn(at, rule))).toMatchObject({ originalPortEnd: 2999, sources })
    const wider = machine.natrules.map((old: Rule) => ({ ...old, originalPortEnd: 2100, sources: [] }))
    await expectStatus(200, call('PUT', at.path, { body: { ...machine, natrules: wider } }))
    const changed = await read(ruleIn(at, rule))
    expect(changed).toMatchObject({ originalPortEnd: 2100 })
    expect(changed).not.toHaveProperty('sources')
  })

  test('clears the sources in XML by an empty element', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, { ...range, sources })
    const xml = await (await call('GET', ruleIn(at, rule), { headers: { accept: 'application/xml' } })).text()
    const body = xml.replace(/<sources>.*<\/sources>/, '<sources/>')
    const headers = { 'content-type': 'application/xml' }
    expect(await expectStatus(200, call('PUT', ruleIn(at, rule), { body, headers }))).not.toHaveProperty(
      'sources',
    )
  })

  test('by a plan, where 0 ends a range; the rule keeps its id, and goes back', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, { ...range, sources })
    const { name } = await read(`/api/admin/datacenters/${at.network.datacenter}`)
    const { natrules } = await read('/api/export?entity=natrules')
    const [own] = natrules.filter(({ datacenter }: { datacenter: string }) => datacenter === name)
    const plan = await planOf({ mode: 'merge', natrules: [{ ...own, originalPortEnd: 0, sources: [] }] })
    expect(plan.operations).toMatchObject([
      { operation: 'update', changes: [{ field: 'originalPortEnd', before: '2999' }, { field: 'sources' }] },
    ])
    await apply(plan)
    const changed = await read(ruleIn(at, rule))
    expect(changed).not.toHaveProperty('originalPortEnd')
    expect(changed).not.toHaveProperty('sources')
    const refused = await planOf({ mode: 'merge', natrules: [{ ...own, originalPortEnd: 1999 }] })
    expect(refused.refusals).toMatchObject([{ code: 'NAT-RULE-16', field: 'originalPortEnd' }])
    const back = await planOf({ mode: 'merge', natrules: [own] })
    await apply(back)
    expect(await read(ruleIn(at, rule))).toMatchObject({ id: rule.id, originalPortEnd: 2999, sources })
  })

  test('of the ports of a rule goes back', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, range)
    await expectStatus(200, put(at, rule, { originalPort: 1000, translatedPort: 1000 }))
    await undoLast(rule)
    expect(await read(ruleIn(at, rule))).toMatchObject({ originalPort: 2000, originalPortEnd: 2999 })
  })

  test('does not go back where another rule has its ports by now', async () => {
    const at = await newMachineWithIps()
    const rule = await addRule(at, range)
    await expectStatus(200, put(at, rule, { originalPortEnd: 2499 }))
    await addRule(at, dnat(2700))
    const undo = async (action: string, of: Rule) => {
      const events = await eventsOf('natrule', of.id)
      const event = events.find((each: { action: string }) => each.action === action)
      return call('POST', `/api/events/${event.id}/action/undo`)
    }
    expect(await refusal(undo('update', rule))).toEqual([409, 'NAT-RULE-3'])
    await expectStatus(204, call('DELETE', ruleIn(at, rule)))
    await addRule(at, dnat(2300))
    expect(await refusal(undo('delete', rule))).toEqual([409, 'NAT-RULE-3'])
  })

  test('may make room for another rule of the same plan or document of its machine', async () => {
    const at = await newMachineWithIps()
    await addRule(at, range)
    const { name } = await read(`/api/admin/datacenters/${at.network.datacenter}`)
    const { natrules } = await read('/api/export?entity=natrules')
    const own = natrules.find(({ datacenter }: { datacenter: string }) => datacenter === name)
    const second = { ...own, originalPort: 2500, translatedPort: 2500 }
    await apply(await planOf({ mode: 'merge', natrules: [second, { ...own, originalPortEnd: 2499 }] }))
    const twice = await planOf({ mode: 'merge', natrules: [second, { ...own, originalPortEnd: 2500 }] })
    expect(twice.refusals).toMatchObject([{ code: 'NAT-RULE-3' }])
    const machine = await read(at.path)
    const [first, ...rest] = machine.natrules
    const third = { ...ruleBody(at, dnat(2200)), originalPortEnd: 2300 }
    const body = { ...machine, natrules: [{ ...first, originalPortEnd: 2100 }, ...rest, third] }
    await expectStatus(200, call('PUT', at.path, { body }))
    const ends = (await read(at.path)).natrules.map((each: Rule) => each.originalPortEnd)
    expect(ends).toEqual([2100, 2999, 2300])
  })
})

const outcome = async (answer: Promise<Response>) => {
  const response = await answer
  return response.ok ? [response.status] : refusal(Promise.resolve(response))
}

test('of ranges that overlap and are added at once, one is there', async () => {
  const at = await newMachineWithIps()
  const answers = await Promise.all(
    [0, 1, 2, 3].map((from) => outcome(post(at, { ...dnat(3000 + from), originalPortEnd: 3100 }))),
  )
  expect(answers.toSorted()).toEqual([[201], ...Array(3).fill([409, 'NAT-RULE-3'])])
  const rule = await addRule(at, { ...dnat(4000), originalPortEnd: 4100 })
  const other = await addRule(at, { ...dnat(4200), originalPortEnd: 4300 })
  const widened = [
    put(at, rule, { originalPortEnd: 4150 }),
    put(at, other, { originalPort: 4140, translatedPort: 4140 }),
  ]
  expect((await Promise.all(widened.map(outcome))).toSorted()).toEqual([[200], [409, 'NAT-RULE-3']])
})

/** Rules of a range each, past the API. */
const addMany = (at: MachineWithIps, count: number, settings: { sources?: string[] } = {}) => {
  const natIp = { id: at.natIps[1], ip_key: '4c0000202' }
  const machine = Number(at.path.split('/').at(-1))
  const ends = { natIp, privateIpId: at.privateIps[0], virtualMachineId: machine, snat: false }
  const rules = Array.from({ length: count }, (_, index) => {
    const originalPort = 2 * index + 1
    const ports = { originalPort, originalPortEnd: originalPort + 1, translatedPort: originalPort }
    return { ...ends, ...ports, ...settings, protocol: 'TCP' as const }
  })
  const { datacenter, id: network } = at.network
  return transaction((trx) => insertRules(trx, { datacenter, network }, rules))
}

const refused = async (answer: Promise<Response>) => {
  const { status, ...response } = await answer.then(async (each) => ({
    status: each.status,
    ...(await each.json()),
  }))
  return [status, response.collection[0].code, response.collection[0].message]
}

test('a device carries 10,000 rules with a range or with sources', { timeout: 60_000 }, async () => {
  const at = await newMachineWithIps()
  const rule = await addRule(at, dnat(1))
  await addMany(at, 10_000)
  const full = [409, 'NAT-RULE-18', expect.stringMatching(/10,000 rules with a range/)]
  expect(await refused(post(at, { ...dnat(2), sources }))).toEqual(full)
  expect(await refused(put(at, rule, { sources }))).toEqual(full)
  await expectStatus(201, post(at, dnat(2)))
})

test('a device carries 100,000 sources', { timeout: 60_000 }, async () => {
  const at = await newMachineWithIps()
  const narrow = await addRule(at, { ...dnat(1), sources })
  const fifty = Array.from({ length: 50 }, (_, index) => `10.0.${index}.0/24`)
  const rule = await addRule(at, { ...dnat(2), sources: fifty.slice(2) })
  await addMany(at, 1999, { sources: fifty })
  const full = [409, 'NAT-RULE-18', 'The device carries at most 100,000 sources in all its rules together']
  expect(await refused(post(at, { ...dnat(3), sources: fifty.slice(49) }))).toEqual(full)
  expect(await refused(put(at, rule, { sources: fifty.slice(1) }))).toEqual(full)
  await expectStatus(201, post(at, { ...dnat(3), originalPortEnd: 9 }))
  await expectStatus(200, put(at, rule, { sources: fifty.slice(2).with(0, '198.51.100.0/24') }))
  await expectStatus(200, put(at, narrow, { sources: sources.slice(1) }))
  await expectStatus(200, put(at, rule, { sources: fifty.slice(1) }))
  expect(await read(ruleIn(at, rule))).toMatchObject({ sources: fifty.slice(1) })
})
