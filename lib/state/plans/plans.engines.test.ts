import { describe, expect, test, vi } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { messagesOf } from '#lib/ground/http/event-stream'
import { newAccessToken, withToken } from '#lib/tools/testing/access-tokens'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { eventsOf, newRole, ROLES } from '#lib/tools/testing/identity'
import { newCenter } from '#lib/tools/testing/inventory'
import {
  addIps,
  addRule,
  attach,
  makeDefault,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { newScope, putScope } from '#lib/tools/testing/scopes'

/** A network with IPs, and a machine with a rule. Plans change them. */
const [datacenter, seen] = await Promise.all([newDatacenter(), newEnterprise()])
const four = await newNetwork({ datacenter: datacenter.id, cidr: '10.0.0.0/24' })
await addIps(four, { count: 12 })
const machine = await newMachine({
  datacenter: datacenter.id,
  enterprise: seen.id,
  privateIps: ['192.168.0.5'],
})
await attach(four, machine.virtualDatacenter, '10.0.0.2', '10.0.0.3')
await makeDefault(four, '10.0.0.2')
await addRule(four, '10.0.0.2', machine, { protocol: 'TCP', originalPort: 443, translatedPort: 8443 })
await addRule(four, '10.0.0.3', machine)
const networks = { four }

const plan = (body: object, as?: User) =>
  expectStatus(201, call('POST', '/api/plans', { body, ...(as && { as }) }))

/** Applies the plan. Each document that its events link is there. */
async function applied(id: number) {
  const done = await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`))
  const { collection } = await expectStatus(200, call('GET', '/api/events?by=id&asc=false&limit=100'))
  const own = (collection as { changes: { plan?: { after: string } }; links: Link[] }[]).filter(
    ({ changes }) => changes.plan?.after === String(id),
  )
  const documents = own.flatMap(({ links }) =>
    links.flatMap(({ rel, href }) => (rel === 'before' || rel === 'after' ? [new URL(href).pathname] : [])),
  )
  for (const path of documents) await expectStatus(200, call('GET', path))
  return done
}

type Link = { rel: string; href: string }

const exported = (entity?: string) =>
  expectStatus(200, call('GET', `/api/export${entity ? `?entity=${entity}` : ''}`))

describe('what a document names as absent', () => {
  test('is deleted if it is there, and nothing else; the second time there is nothing to do', async () => {
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '10.9.0.0/24' })
    await addIps(network, { count: 3 })
    const [scope, role] = [await newScope({}), unique('Gone role')]
    await expectStatus(
      201,
      call('POST', '/api/admin/roles', { body: { name: role, privileges: [], links: [] } }),
    )
    const ip = { datacenter: datacenter.name, network: network.name, ip: '10.9.0.2' }
    const document = {
      scopes: [{ name: scope.name, absent: true, enterprises: ['Nobody'] }],
      roles: [{ name: role, absent: true }],
      natips: [
        { ...ip, absent: true },
        { ...ip, ip: '10.9.0.3', absent: false, quarantine: true },
        { ...ip, ip: '10.9.0.99', absent: true },
      ],
    }
    const { id, operations, totals, refusals } = await plan(document)
    const kinds = operations.map(({ operation, name }: { operation: string; name: string }) => [
      operation,
      name,
    ])
    expect([refusals, kinds]).toEqual([
      [],
      [
        ['delete', scope.name],
        ['delete', role],
        ['delete', '10.9.0.2'],
        ['update', '10.9.0.3'],
      ],
    ])
    expect(totals.at(-1)).toEqual({ entity: 'natips', create: 0, update: 1, delete: 1, none: 1 })
    expect(operations[2]).toMatchObject({ line: expect.any(Number) })
    await applied(id)
    expect((await plan(document)).operations).toEqual([])
    const table = `datacenter,network,ip,absent\n${ip.datacenter},${ip.network},10.9.0.3,true\n`
    const headers = { 'content-type': 'text/csv' }
    const csv = await expectStatus(201, call('POST', '/api/plans?entity=natips', { body: table, headers }))
    expect(csv.operations).toMatchObject([{ operation: 'delete', name: '10.9.0.3', line: 2 }])
  })

  test('keeps the rules of its deletion', async () => {
    const natips = [{ datacenter: datacenter.name, network: four.name, ip: '10.0.0.2', absent: true }]
    const { refusals, id } = await plan({ natips })
    expect(refusals.map(({ code }: { code: string }) => code)).toEqual(['NAT-IP-14', 'NAT-IP-3'])
    expect(await codesOf(call('POST', `/api/plans/${id}/action/apply`))).toEqual(['PLAN-2'])
  })
})

describe('a plan', () => {
  test('of an unchanged export has no operations', { timeout: 240_000 }, async () => {
    for (const mode of ['merge', 'replace']) {
      const document = await plan({ ...(await exported()), mode })
      expect(document.refusals).toEqual([])
      expect(document.operations).toEqual([])
    }
  })

  test('creates, changes and deletes in one go', async () => {
    const [above, below, enterprise, role, nick] = ['Above', 'Below', 'Firm', 'Role', 'ada'].map(unique)
    const body = {
      enterprises: [{ name: enterprise, scope: above }],
      scopes: [
        { name: below, parent: above, enterprises: [enterprise], datacenters: [datacenter.name] },
        { name: above, enterprises: [enterprise, seen.name], datacenters: [datacenter.name] },
      ],
      roles: [{ name: role, enterprise, privileges: ['USERS_VIEW'] }],
      users: [{ nick, name: 'Ada', enterprise, role, scope: below, password: 'correct horse battery' }],
    }
    const made = await plan(body)
    expect(made.refusals).toEqual([])
    expect(made.totals.map(({ create }: { create: number }) => create)).toEqual([1, 2, 1, 1])
    const done = await applied(made.id)
    expect(done.applied).toBeDefined()
    // Before there are more plans: only the newest of a user are kept.
    expect(await codesOf(call('POST', `/api/plans/${made.id}/action/apply`))).toEqual(['PLAN-3'])
    expect((await exported('scopes')).scopes).toContainEqual({
      name: below,
      parent: above,
      automaticAddDatacenter: false,
      automaticAddEnterprise: false,
      ...noNotes,
      enterprises: [enterprise],
      datacenters: [datacenter.name],
    })
    const again = await plan(body)
    expect(again.operations).toEqual([])
  })

  test('that takes all privileges from a role has an event of them', async () => {
    const id = await newRole({ privileges: ['USERS_VIEW'] })
    const { name } = await expectStatus(200, call('GET', `${ROLES}/${id}`))
    await applied((await plan({ roles: [{ name, privileges: [] }] })).id)
    const [event] = await eventsOf('role', id)
    expect(event.changes.privileges).toEqual({ before: 'USERS_VIEW' })
    expect((await exported('roles')).roles).toContainEqual(expect.objectContaining({ name, privileges: [] }))
  })

  test('of NAT IPs and rules', async () => {
    const network = { datacenter: datacenter.name, name: unique('Net'), cidr: '10.77.0.0/24' }
    const device = (await exported('natnetworks')).natnetworks.find(
      ({ name }: { name: string }) => name === networks.four.name,
    ).device
    const at = { datacenter: datacenter.name, network: network.name }
    const [rule] = (await exported('natrules')).natrules.filter(
      (each: { network: string; type: string }) =>
        each.network === networks.four.name && each.type === 'DNAT',
    )
    const natips = ['10.77.0.5', '10.77.0.6'].map((ip) => ({
      ...at,
      ip,
      quarantine: true,
      virtualDatacenter: rule.virtualDatacenter,
    }))
    const natrules = [
      {
        ...rule,
        network: undefined,
        original: '10.77.0.5',
        protocol: 'TCP',
        originalPort: 80,
        translatedPort: 80,
      },
    ]
    const made = await plan({ natnetworks: [{ ...network, device }], natips, natrules })
    expect(made.refusals).toEqual([])
    await applied(made.id)
    expect((await plan({ natips, natrules })).operations).toEqual([])
    const gone = { mode: 'replace', natips: [], natrules: [], natnetworks: [] }
    const { natips: all, natrules: rules, natnetworks } = await exported()
    const kept = (each: { network?: string; name?: string }) =>
      ![each.network, each.name].includes(network.name)
    const less = await plan({
      ...gone,
      natips: all.filter(kept),
      natrules: rules.filter(kept),
      natnetworks: natnetworks.filter(kept),
    })
    expect(less.refusals).toEqual([])
    await applied(less.id)
    expect(await exported('natips')).toEqual({ links: [], natips: all.filter(kept) })
  })
})

/** The items of the export as their keys, for comparison in any order. */
const undone = async (done: { links: Link[] }) => {
  const event = done.links.find(({ rel }) => rel === 'event')?.href ?? ''
  const path = new URL(event).pathname
  return expectStatus(200, call('POST', `${path}/action/undo`))
}

test('one undo reverts everything that a plan did', async () => {
  const names = ['Root', 'Middle', 'Leaf', 'Firm'].map(unique)
  const [root = '', middle = '', leaf = '', firm = ''] = names
  const before = await plan({
    scopes: [
      { name: root, enterprises: [seen.name] },
      { name: middle, parent: root, enterprises: [seen.name] },
    ],
  })
  await applied(before.id)
  const was = await exported()
  const [free] = was.natips.filter(
    (ip: { network: string; ip: string }) => ip.network === networks.four.name && ip.ip === '10.0.0.11',
  )
  const rule = was.natrules.find(
    (each: { network: string; type: string }) => each.network === networks.four.name && each.type === 'DNAT',
  )
  const { network: _network, datacenter: _datacenter, ...rest } = rule
  const made = await plan({
    enterprises: [{ name: firm, scope: leaf }],
    // The two scopes change places, and a new one below them has the new enterprise.
    scopes: [
      { name: middle, parent: '', enterprises: [seen.name, firm] },
      { name: root, parent: middle, enterprises: [firm] },
      { name: leaf, parent: root, enterprises: [firm] },
    ],
    natips: [
      { ...free, virtualDatacenter: rule.virtualDatacenter, defaultSnat: true },
      { ...free, ip: '10.0.0.200', virtualDatacenter: rule.virtualDatacenter, enterprise: seen.name },
    ],
    natrules: [
      {
        datacenter: datacenter.name,
        ...rest,
        original: '10.0.0.200',
        protocol: 'UDP',
        originalPort: 9,
        translatedPort: 9,
      },
    ],
  })
  expect(made.refusals).toEqual([])
  const done = await applied(made.id)
  expect(await exported()).not.toEqual(was)
  const undo = await undone(done)
  expect(await exported()).toEqual(was)
  const again = await expectStatus(200, call('POST', `/api/events/${undo.id}/action/undo`))
  expect((await plan({ scopes: [{ name: leaf, parent: root, enterprises: [firm] }] })).operations).toEqual([])
  await expectStatus(200, call('POST', `/api/events/${again.id}/action/undo`))
  expect(await exported()).toEqual(was)
})

describe('refusals', () => {
  test('are all reported at once, with line and field, and nothing is written', async () => {
    const was = await exported()
    const text = [
      '{"scopes": [',
      `  {"name": "${unique('Fine')}"},`,
      '  {"name": "", "colour": "red"},',
      `  {"name": "${unique('Lost')}", "parent": "no such scope"},`,
      `  {"name": "${unique('Empty')}", "enterprises": ["${seen.name}", "no such firm", "nor such"]}],`,
      ' "users": [',
      `  {"nick": "${unique('nobody')}", "name": "N", "enterprise": "${seen.name}", "role": "no such role"}`,
      ']}',
    ].join('\n')
    const made = await expectStatus(201, call('POST', '/api/plans', { body: text }))
    expect(
      made.refusals.map(({ line, field, code }: Record<string, unknown>) => [line, field, code]),
    ).toEqual([
      [3, 'name', 'CONSTR-LENGTH'],
      [3, undefined, 'CONSTR-PATTERN'],
      [4, 'parent', 'SCOPE-1'],
      [5, 'enterprises', 'EN-0'],
      [5, 'enterprises', 'EN-0'],
      [7, 'role', 'ROLE-0'],
    ])
    expect(await codesOf(call('POST', `/api/plans/${made.id}/action/apply`))).toEqual(['PLAN-2'])
    expect(await exported()).toEqual(was)
  })

  test('of repeated items, and of rules of the domain', async () => {
    const name = unique('Twice')
    const twice = await plan({ scopes: [{ name }, { name }] })
    expect(twice.refusals).toEqual([
      expect.objectContaining({ code: 'CONSTR-PATTERN', message: expect.stringContaining('listed twice') }),
    ])
    const circle = [unique('One'), unique('Two')]
    const around = await plan({
      scopes: circle.map((each, index) => ({ name: each, parent: circle[1 - index] })),
    })
    expect(around.refusals.map(({ code, field }: Record<string, unknown>) => [code, field])).toEqual([
      ['SCOPE-18', 'parent'],
      ['SCOPE-18', 'parent'],
    ])
  })

  test('an invalid document is refused as a whole', async () => {
    for (const body of ['[]', '{"scopes": [1]}', '{"scopes": {}}', '{"clouds": []}', '{"mode": "all"}', '{'])
      expect(await codesOf(call('POST', '/api/plans', { body }))).toEqual(['GEN-3'])
    const headers = { 'content-type': 'text/plain' }
    expect(await codesOf(call('POST', '/api/plans', { body: '{}', headers }))).toEqual([
      '415-UNSUPPORTED-MEDIA-TYPE',
    ])
  })
})

test('a plan whose difference has changed is refused', async () => {
  const [name, other] = [unique('Moved on'), unique('Other')]
  const made = await plan({ scopes: [{ name, enterprises: [seen.name] }] })
  const second = await plan({ scopes: [{ name }] })
  const unrelated = await plan({ scopes: [{ name: other }] })
  await applied(second.id)
  expect(await codesOf(call('POST', `/api/plans/${made.id}/action/apply`))).toEqual(['PLAN-1'])
  await applied(unrelated.id)
})

test('a plan expires after an hour', async () => {
  const made = await plan({ scopes: [{ name: unique('Too late') }] })
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.parse(made.expires) - 1000)
  await expectStatus(200, call('GET', `/api/plans/${made.id}`))
  vi.setSystemTime(Date.parse(made.expires))
  const refused = [
    await codesOf(call('GET', `/api/plans/${made.id}`)),
    await codesOf(call('POST', `/api/plans/${made.id}/action/apply`)),
  ]
  vi.useRealTimers()
  expect(refused).toEqual([['PLAN-0'], ['PLAN-0']])
})

describe('the progress of a plan', () => {
  const stream = async (path: string, body?: object) => {
    const headers = { accept: 'text/event-stream' }
    const response = await call('POST', path, { headers, ...(body && { body }) })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const messages = []
    for await (const { event, data = '' } of messagesOf(response.body))
      messages.push({ event, data: JSON.parse(data) })
    return { first: messages[0], last: messages.at(-1) }
  }

  test('is in the stream of the answer, which ends with the plan without its lists', async () => {
    const name = unique('Slow')
    const planned = await stream('/api/plans', { scopes: [{ name }] })
    expect(planned.first).toEqual({ event: 'progress', data: { phase: 'compare', done: 0, total: 1 } })
    const { event, data } = planned.last ?? {}
    expect(event).toBe('plan')
    const whole = await expectStatus(200, call('GET', `/api/plans/${data.id}`))
    expect(whole).toEqual({ ...data, refusals: [], operations: whole.operations })
    expect(whole.operations).toHaveLength(1)

    const apply = `/api/plans/${data.id}/action/apply`
    const done = await stream(apply)
    expect(done.first?.event).toBe('progress')
    expect(done.last?.data).toMatchObject({ id: data.id, applied: expect.any(String) })
    expect((await exported('scopes')).scopes).toContainEqual(expect.objectContaining({ name }))
    expect((await stream(apply)).last).toEqual({
      event: 'errors',
      data: { status: 409, links: [], collection: [{ code: 'PLAN-3', message: expect.any(String) }] },
    })
  })

  test('begins after the checks that need no database', async () => {
    const headers = { accept: 'text/event-stream' }
    const json = { ...headers, 'content-type': 'application/json' }
    expect((await call('POST', '/api/plans', { headers: json, body: '{' })).status).toBe(400)
    expect((await call('GET', '/api/plans/1', { headers })).status).toBe(406)
    expect((await call('POST', '/api/plans', { headers, body: {}, as: null })).status).toBe(401)
  })
})

describe('a plan of a user', () => {
  const privileges: Privilege[] = ['USERS_MANAGE_SCOPES', 'ENTERPRISE_ENUMERATE']
  const planned = async (scopeId?: number) => {
    const as = await newUser({ privileges, ...(scopeId !== undefined && { scopeId }) })
    const made = await plan({ scopes: [{ name: unique('Later'), enterprises: [seen.name] }] }, as)
    expect(made.refusals).toEqual([])
    return { as, apply: () => call('POST', `/api/plans/${made.id}/action/apply`, { as }) }
  }

  test('who has lost the privilege since then is refused, and changes nothing', async () => {
    const { as, apply } = await planned()
    const before = await exported('scopes')
    const self = await expectStatus(200, call('GET', `/api/admin/enterprises/_/users/${as.id}`))
    const role = self.links.find(({ rel }: { rel: string }) => rel === 'role').href
    const other = {
      rel: 'privilege',
      href: `/api/config/privileges/${allPrivileges.indexOf('VDC_ENUMERATE') + 1}`,
    }
    const body = { name: unique('Emptied'), links: [other] }
    await expectStatus(200, call('PUT', role, { body }))
    await expectStatus(403, apply())
    expect(await exported('scopes')).toEqual(before)
  })

  test('who has lost sight of the resources since then is refused, and changes nothing', async () => {
    const own = await newScope({ enterprises: [seen.id] })
    const { apply } = await planned(own.id)
    await expectStatus(200, putScope(own, { name: unique('Narrowed'), scopeEntities: [] }))
    const before = await exported('scopes')
    expect((await apply()).status).toBe(409)
    expect(await exported('scopes')).toEqual(before)
  })
})

test('faults of a long document are all counted, and the first thousand listed', async () => {
  const scopes = Array.from({ length: 1100 }, (_, index) => ({ name: `Wrong ${index}`, parent: 5 }))
  const made = await plan({ scopes })
  expect(made.refused).toBe(1100)
  expect(made.refusals).toHaveLength(1000)
  expect(made.refusals[999]).toMatchObject({ name: 'Wrong 999', field: 'parent' })
})

describe('another user', () => {
  test('does not find the plan', async () => {
    const { id } = await plan({ scopes: [] })
    const as = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
    expect(await codesOf(call('GET', `/api/plans/${id}`, { as }))).toEqual(['PLAN-0'])
    expect(await codesOf(call('POST', `/api/plans/${id}/action/apply`, { as }))).toEqual(['PLAN-0'])
  })

  test('who is limited plans below their own scope', async () => {
    const own = await newScope({ enterprises: [seen.id] })
    const privileges: Privilege[] = ['USERS_MANAGE_SCOPES', 'USERS_MANAGE_ROLES']
    const as = await newUser({ privileges, scopeId: own.id })
    const [scope, role] = [unique('Mine'), unique('Mine')]
    const body = {
      scopes: [{ name: scope, parent: '', enterprises: [seen.name] }],
      roles: [{ name: role, enterprise: '', privileges: [] }],
    }
    const made = await plan(body, as)
    expect(made.refusals).toEqual([])
    await expectStatus(200, call('POST', `/api/plans/${made.id}/action/apply`, { as }))
    expect((await plan(body, as)).operations).toEqual([])
    const whole = await expectStatus(200, call('GET', '/api/export', { as }))
    expect((await plan({ ...whole, mode: 'replace' }, as)).operations).toEqual([])
    const hidden = await plan({ scopes: [{ name: unique('Beyond'), datacenters: [datacenter.name] }] }, as)
    expect(hidden.refusals).toEqual([expect.objectContaining({ code: 'DC-0', field: 'datacenters' })])
  })

  test('cannot plan a NAT IP of a hidden virtual datacenter, which the refusal does not mention', async () => {
    const mine = await newEnterprise()
    const center = await newCenter({ enterprise: mine.id, datacenter: datacenter.id })
    const own = await newScope({ enterprises: [mine.id], datacenters: [datacenter.id] })
    const as = await newUser({ scopeId: own.id })
    const ip = { datacenter: datacenter.name, network: four.name, ip: '10.0.0.3' }
    const codes = async (change: object) =>
      (await plan({ natips: [{ ...ip, ...change }] }, as)).refusals.map(({ code }: { code: string }) => code)
    expect(await codes({ virtualDatacenter: center.document.name })).toEqual(['NAT-IP-13'])
    expect(await codes({ defaultSnat: true })).toEqual(['NAT-IP-8'])
  })

  test('plans with their own privileges', async () => {
    const as = await newUser({ privileges: ['USERS_VIEW', 'USERS_MANAGE_ROLES'] })
    await expectStatus(403, call('POST', '/api/plans', { as, body: { scopes: [] } }))
    const nick = unique('new')
    const made = await plan(
      { users: [{ nick, name: 'New', enterprise: seen.name, role: 'CLOUD_ADMIN' }] },
      as,
    )
    expect(made.refusals.map(({ code }: { code: string }) => code)).toEqual(['403-FORBIDDEN'])
  })
})

describe('a program', () => {
  test('reads and applies its user’s plan only with the privileges that read every list of it', async () => {
    const as = await newUser({ privileges: ['USERS_MANAGE_SCOPES', 'USERS_VIEW', 'ENTERPRISE_ENUMERATE'] })
    const { id } = await plan({ scopes: [{ name: unique('Later') }], users: [] }, as)
    const read = async (privileges: Privilege[]) => {
      const { token } = await newAccessToken(as, { privileges })
      const answer = await call('GET', `/api/plans/${id}`, { as: null, headers: withToken(token) })
      if (answer.status === 403) expect(await answer.clone().text()).not.toContain('Later')
      const apply = call('POST', `/api/plans/${id}/action/apply`, { as: null, headers: withToken(token) })
      return [answer.status, (await apply).status]
    }
    expect(await read([])).toEqual([403, 403])
    expect(await read(['USERS_MANAGE_SCOPES'])).toEqual([403, 403])
    expect(await read(['USERS_VIEW'])).toEqual([403, 403])
    const question = { user: as.id, method: 'GET', path: `/plans/${id}` }
    const explain = () => call('POST', '/api/access/action/explain', { as, body: question })
    expect(await expectStatus(200, explain())).toMatchObject({ granted: true, status: 200 })
    expect(await read(['USERS_VIEW', 'USERS_MANAGE_SCOPES'])).toEqual([200, 200])
  })
})

describe('many NAT IPs and rules', () => {
  const ips = Array.from({ length: 60 }, (_, index) => `10.60.0.${index + 10}`)
  const at = { datacenter: datacenter.name, network: unique('Many') }

  test('are one step, and one event for each kind of change', async () => {
    const { natrules, natnetworks, natips } = await exported()
    const rule = natrules.find(
      (each: { network: string; type: string }) =>
        each.network === networks.four.name && each.type === 'DNAT',
    )
    const { device } = natnetworks.find(({ name }: { name: string }) => name === networks.four.name)
    await applied(
      (
        await plan({
          natnetworks: [{ datacenter: datacenter.name, name: at.network, cidr: '10.60.0.0/24', device }],
        })
      ).id,
    )
    const body = {
      natips: ips.map((ip, index) => ({
        ...at,
        ip,
        ...(index < 30
          ? { virtualDatacenter: rule.virtualDatacenter, quarantine: true }
          : { available: false }),
      })),
      natrules: ips.slice(0, 30).map((original) => ({
        ...rule,
        ...at,
        original,
        protocol: 'TCP',
        originalPort: 22,
        translatedPort: 22,
      })),
    }
    const made = await plan(body)
    expect(made.refusals).toEqual([])
    const done = await applied(made.id)
    expect((await plan(body)).operations).toEqual([])
    const { collection } = await expectStatus(200, call('GET', '/api/events?limit=5&by=id&asc=false'))
    expect(
      collection.map(({ action, changes }: never) => [action, (changes as { count?: unknown }).count]),
    ).toEqual([
      ['apply-plan', undefined],
      ['change-natips', { after: '30' }],
      ['create-natrules', { after: '30' }],
      ['create-natips', { after: '60' }],
      expect.anything(),
    ])
    await undone(done)
    expect((await exported('natips')).natips).toEqual(natips)
  })

  test('that get the same holder have one event too', async () => {
    const { natrules, natips } = await exported()
    const { virtualDatacenter } = natrules.find(
      ({ network }: { network: string }) => network === networks.four.name,
    )
    const some = ips.slice(0, 20).map((ip) => ({ ...at, ip }))
    await applied((await plan({ natips: some })).id)
    const held = await applied((await plan({ natips: some.map((ip) => ({ ...ip, virtualDatacenter })) })).id)
    const { collection } = await expectStatus(200, call('GET', '/api/events?limit=2&by=id&asc=false'))
    expect(collection.map(({ action }: { action: string }) => action)).toEqual([
      'apply-plan',
      'change-natips',
    ])
    await undone(held)
    await applied((await plan({ mode: 'replace', natips })).id)
    expect((await exported('natips')).natips).toEqual(natips)
  })

  test('report each fault, and the rest is planned', async () => {
    const made = await plan({
      natips: [...ips, '10.99.0.1', '10.60.0.200'].map((ip) => ({ ...at, ip, quarantine: true })),
    })
    expect(made.refusals).toEqual([expect.objectContaining({ name: '10.99.0.1', code: 'NAT-IP-9' })])
  })
})
