import { describe, expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { goBackDue } from '#lib/state/undo/going-back.server'
import { newAccessToken, withToken } from '#lib/tools/testing/access-tokens'
import { admin, call, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { passMillisecond } from '#lib/tools/testing/histories'
import { centerPath, eventsOf } from '#lib/tools/testing/inventory'
import { networksPath } from '#lib/tools/testing/nat'
import { dnat, type MachineWithIps, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

/* NAT rules that are disabled: they keep their addresses and ports, and no gateway carries them. */

type Rule = { id: number; enabled: boolean; originalPort?: number; links: object[] }

const read = (path: string) => expectStatus(200, call('GET', path))
const ruleIn = ({ path }: MachineWithIps, { id }: { id: number }): string => `${path}/natrules/${id}`

const addRule = (
  at: MachineWithIps,
  rule: Parameters<typeof ruleBody>[1] & { enabled?: boolean },
): Promise<Rule> =>
  expectStatus(201, call('POST', `${at.path}/natrules`, { body: { ...ruleBody(at, rule), ...rule } }))

const place = async () => {
  const at = await newMachineWithIps()
  return { at, rule: await addRule(at, dnat(80, 8080)) }
}

const put = (at: MachineWithIps, rule: Rule, change: object) =>
  call('PUT', ruleIn(at, rule), { body: { ...rule, ...change } })

const translations = async ({ network }: MachineWithIps) => {
  const { links } = await read(`${networksPath(network.datacenter)}/${network.id}`)
  const { href } = links.find(({ rel }: { rel: string }) => rel === 'device')
  const { entries = [] } = await read(`${new URL(href).pathname}/translations`)
  return entries as { rule?: number; kind: string }[]
}

const bulk = (at: MachineWithIps, body: object) =>
  expectStatus(200, call('POST', `${networksPath(at.network.datacenter)}/action/changerules`, { body }))

describe('a disabled rule', () => {
  test('is no translation, has no state of a gateway, and gives its place back to the default SNAT', async () => {
    const { at, rule } = await place()
    const snat = await addRule(at, { snat: true })
    await expectStatus(
      200,
      call('PUT', `${centerPath(at.center)}/natips/${at.natIps[1]}`, { body: { defaultSnat: true } }),
    )
    const kinds = async () => (await translations(at)).map(({ kind }) => kind).sort()
    expect(await kinds()).toEqual(['default', 'dnat', 'snat'])
    for (const each of [rule, snat]) {
      const disabled = await expectStatus(200, put(at, each, { enabled: false }))
      expect(disabled).toMatchObject({ id: each.id, enabled: false })
      expect(disabled).not.toHaveProperty('deviceState')
    }
    expect(await kinds()).toEqual(['default', 'default'])
    const added = async () =>
      database()
        .read.selectFrom('translation_changes')
        .where('rule_id', 'in', [rule.id, snat.id])
        .select((on) => ['rule_id', on.fn.sum<number>('added').as('net')])
        .groupBy('rule_id')
        .execute()
    expect((await added()).map(({ net }) => Number(net))).toEqual([0, 0])
    await expectStatus(200, put(at, snat, { enabled: true }))
    expect(await kinds()).toEqual(['default', 'snat'])
  })

  test('keeps its port, and its private IP', async () => {
    const { at, rule } = await place()
    await expectStatus(200, put(at, rule, { enabled: false }))
    const twice = call('POST', `${at.path}/natrules`, { body: ruleBody(at, dnat(80)) })
    expect(await refusal(twice)).toEqual([409, 'NAT-RULE-3'])
  })

  test('is the reason why a packet is not translated', async () => {
    const { at, rule } = await place()
    const packet = { from: '198.51.100.7', to: '192.0.2.1', protocol: 'TCP', port: 80 }
    const explain = () =>
      expectStatus(
        200,
        call('POST', `${networksPath(at.network.datacenter)}/action/explain`, { body: packet }),
      )
    expect((await explain()).steps).toHaveLength(1)
    await expectStatus(200, put(at, rule, { enabled: false }))
    expect(await explain()).toMatchObject({
      steps: [],
      reason: expect.stringContaining(`the rule ${rule.id} is disabled`),
    })
  })

  test('is a finding after 30 days, and no other one', async () => {
    const { at, rule } = await place()
    const codes = async () => {
      const { collection } = await read(`${networksPath(at.network.datacenter)}/action/check`)
      return collection.map(({ code }: { code: string }) => code)
    }
    await transaction((trx) =>
      trx.updateTable('virtual_machines').set({ state: 'OFF' }).where('name', '=', 'Machine').execute(),
    )
    expect(await codes()).toEqual(['NATCHECK-9'])
    await expectStatus(200, put(at, rule, { enabled: false }))
    expect(await codes()).toEqual([])
    const long = Date.now() - 31 * 86_400_000
    await transaction((trx) =>
      trx.updateTable('nat_rules').set({ disabled_at: long }).where('id', '=', rule.id).execute(),
    )
    expect(await codes()).toEqual(['NATCHECK-11'])
  })
})

describe('PUT of a rule', () => {
  test('sets what it names, and leaves the rest as it is', async () => {
    const { at, rule } = await place()
    const { enabled: _enabled, ...old } = { ...rule, enabled: undefined }
    await expectStatus(200, put(at, rule, { enabled: false }))
    const moved = await expectStatus(
      200,
      call('PUT', ruleIn(at, rule), { body: { ...old, originalPort: 81 } }),
    )
    expect(moved).toMatchObject({ id: rule.id, enabled: false, originalPort: 81, translatedPort: 8080 })
    const headers = { accept: 'application/vnd.service.natrule+xml' }
    const xml = await expectStatus(200, call('GET', ruleIn(at, rule), { headers }))
    expect(xml).toContain('<enabled>false</enabled>')
    const events = await eventsOf('natrule', rule.id)
    expect(events.at(-1)).toMatchObject({
      action: 'update',
      changes: { originalPort: { before: '80', after: '81' } },
    })
  })

  test('refuses another address, kind or protocol, and a port that is taken', async () => {
    const { at, rule } = await place()
    await addRule(at, dnat(443))
    const other = ruleBody(at, dnat(80, 8080), { natIp: at.natIps[1], privateIp: at.privateIps[1] })
    expect(await refusal(put(at, rule, { links: other.links }))).toEqual([400, 'NAT-RULE-1', 'NAT-RULE-2'])
    expect(await refusal(put(at, rule, { protocol: 'UDP' }))).toEqual([400, 'NAT-RULE-1'])
    expect(await refusal(put(at, rule, { originalPort: 443 }))).toEqual([409, 'NAT-RULE-3'])
    expect(await refusal(put(at, rule, { originalPort: 0 }))).toEqual([400, 'CONSTR-MIN'])
    expect(await refusal(call('PUT', `${at.path}/natrules/987654321`, { body: rule }))).toEqual([
      404,
      'NAT-RULE-0',
    ])
    await expectStatus(200, put(at, rule, { translatedPort: 9090 }))
  })

  test('needs the privilege, also in the document of the machine', async () => {
    const { at, rule } = await place()
    const as = await newUser({
      enterpriseId: at.enterprise,
      privileges: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    })
    const body = { ...rule, enabled: false }
    await expectStatus(403, call('PUT', ruleIn(at, rule), { as, body }))
    const machine = await read(at.path)
    const change = (enabled: boolean | undefined) => ({
      ...machine,
      natrules: machine.natrules.map((each: Rule) => ({ ...each, enabled })),
    })
    await expectStatus(403, call('PUT', at.path, { as, body: change(false) }))
    await expectStatus(200, call('PUT', at.path, { as, body: change(undefined) }))
    const { natrules } = await expectStatus(200, call('PUT', at.path, { body: change(false) }))
    expect(natrules).toMatchObject([{ id: rule.id, enabled: false }])
    expect((await expectStatus(200, call('PUT', at.path, { as, body: change(undefined) }))).natrules).toEqual(
      natrules,
    )
  })
})

test('many rules are enabled or disabled by ids or by a filter, as one event that is undone', async () => {
  const { at, rule } = await place()
  const second = await addRule(at, { ...dnat(81), enabled: false })
  const list = `${networksPath(at.network.datacenter)}/action/allrules`
  const idsOf = async (query: string) => (await read(`${list}?${query}`)).collection.map(({ id }: Rule) => id)
  expect(await idsOf('enabled=true')).toEqual([rule.id])
  expect(await idsOf('enabled=false')).toEqual([second.id])
  expect(await refusal(call('GET', `${list}?enabled=maybe`))).toEqual([400, 'GEN-22'])
  const report = await bulk(at, { filter: 'protocol=TCP', enabled: false })
  expect(report).toMatchObject({ total: 2, changed: 1, unchanged: 1, ids: [rule.id] })
  expect(await idsOf('enabled=false')).toEqual([rule.id, second.id])
  await expectStatus(200, call('POST', `/api/events/${report.event}/action/undo`))
  expect(await idsOf('enabled=false')).toEqual([second.id])
  expect(await bulk(at, { ids: [second.id], enabled: true })).toMatchObject({ changed: 1 })
  const table = await call('GET', `${list}?format=csv`)
  expect((await table.text()).split(/\r?\n/, 1)[0]).toContain('enabled')
})

test('a plan disables and enables rules, which keep their ids', async () => {
  const { at, rule } = await place()
  const { natrules } = await read('/api/export?entity=natrules')
  const { name: datacenter } = await read(`/api/admin/datacenters/${at.network.datacenter}`)
  const own = natrules.filter((each: { datacenter: string }) => each.datacenter === datacenter)
  expect(own).toMatchObject([{ enabled: true }])
  const apply = async (items: object[]) => {
    const plan = await expectStatus(201, call('POST', '/api/plans', { body: { natrules: items } }))
    expect(plan.refusals).toEqual([])
    if (plan.operations.length > 0)
      await expectStatus(200, call('POST', `/api/plans/${plan.id}/action/apply`))
    return plan.operations
  }
  const { enabled: _enabled, ...silent } = own[0]
  expect(await apply([silent])).toEqual([])
  const changes = [{ field: 'enabled', before: 'true', after: 'false' }]
  expect(await apply([{ ...own[0], enabled: false }])).toMatchObject([{ operation: 'update', changes }])
  expect(await read(ruleIn(at, rule))).toMatchObject({ id: rule.id, enabled: false })
  expect(await apply([silent])).toEqual([])
  const then = passMillisecond()
  passMillisecond()
  await expectStatus(200, put(at, rule, { enabled: true }))
  expect(await read(`${ruleIn(at, rule)}?asof=${then}`)).toMatchObject({ enabled: false })
  expect(rule.links).toContainEqual(expect.objectContaining({ href: `${ORIGIN}${ruleIn(at, rule)}` }))
})

const deviceAt = async ({ network }: MachineWithIps) => {
  const { links } = await read(`${networksPath(network.datacenter)}/${network.id}`)
  return new URL(links.find(({ rel }: { rel: string }) => rel === 'device').href).pathname
}

describe('unconfirmed changes go back', () => {
  const begin = async (at: MachineWithIps) => {
    const device = await deviceAt(at)
    await expectStatus(200, call('POST', `${device}/action/change`, { body: {} }))
    return async () => {
      await expectStatus(200, call('POST', `${device}/action/cancel`))
      await goBackDue()
    }
  }
  const remove = (at: MachineWithIps, rule: Rule) => expectStatus(204, call('DELETE', ruleIn(at, rule)))

  test('of rules that were disabled, whatever happened to them while they were', async () => {
    const { at, rule } = await place()
    const removed = await addRule(at, dnat(81))
    const asleep = await addRule(at, { ...dnat(82), enabled: false })
    const before = await translations(at)
    const cancel = await begin(at)
    await expectStatus(200, put(at, rule, { enabled: false }))
    await expectStatus(200, put(at, rule, { enabled: false, originalPort: 90 }))
    await expectStatus(200, put(at, removed, { enabled: false }))
    await remove(at, removed)
    await expectStatus(200, put(at, asleep, { enabled: true, originalPort: 83 }))
    await cancel()
    expect(await translations(at)).toEqual(before)
    expect(await read(ruleIn(at, asleep))).toMatchObject({ enabled: false, originalPort: 82 })
  })

  test('of ports that took the place of each other', async () => {
    const { at, rule } = await place()
    const other = await addRule(at, dnat(81))
    const third = await addRule(at, dnat(82))
    const before = await translations(at)
    const cancel = await begin(at)
    await remove(at, third)
    await expectStatus(200, put(at, rule, { originalPort: 82 }))
    await expectStatus(200, put(at, other, { originalPort: 80 }))
    await cancel()
    expect(await translations(at)).toEqual(before)
  })
})

describe('rules of a machine that the caller does not see', () => {
  test('cannot be changed, and are no findings', async () => {
    const { at, rule } = await place()
    const scope = await newScope({ datacenters: [at.network.datacenter] })
    const as = await newUser({ scopeId: scope.id })
    expect(await refusal(call('PUT', ruleIn(at, rule), { as, body: { ...rule, enabled: false } }))).toEqual([
      404,
      'VDC-0',
    ])
    for (const body of [
      { ids: [rule.id], enabled: false },
      { filter: '', enabled: false },
    ]) {
      const report = await expectStatus(
        200,
        call('POST', `${networksPath(at.network.datacenter)}/action/changerules`, { as, body }),
      )
      expect(report).toMatchObject({ changed: 0, refused: 1, refusals: [{ code: 'NAT-RULE-0' }] })
    }
    await expectStatus(200, put(at, rule, { enabled: false }))
    const long = Date.now() - 31 * 86_400_000
    await transaction((trx) =>
      trx.updateTable('nat_rules').set({ disabled_at: long }).where('id', '=', rule.id).execute(),
    )
    const path = `${networksPath(at.network.datacenter)}/action/check`
    expect((await read(path)).collection).toMatchObject([{ code: 'NATCHECK-11' }])
    const { collection, ...counts } = await expectStatus(200, call('GET', path, { as }))
    expect(collection).toEqual([])
    expect(JSON.stringify(counts)).not.toContain('NATCHECK-11')
    const csv = { 'content-type': 'text/csv', accept: 'text/csv' }
    const exported = await call('GET', '/api/export?entity=natrules', { as, headers: csv })
    expect(await exported.text()).not.toContain('192.0.2.1')
  })
})

describe('documents of a rule', () => {
  const xml = { 'content-type': 'application/xml', accept: 'application/xml' }

  test('in XML without enabled leave it as it is, and refuse an empty one', async () => {
    const { at, rule } = await place()
    await expectStatus(200, put(at, rule, { enabled: false }))
    const document: string = await expectStatus(200, call('GET', ruleIn(at, rule), { headers: xml }))
    const send = (enabled: string) =>
      call('PUT', ruleIn(at, rule), {
        headers: xml,
        body: document.replace(/<enabled>.*<\/enabled>/, enabled),
      })
    expect(await expectStatus(200, send(''))).toContain('<enabled>false</enabled>')
    expect((await send('<enabled/>')).status).toBe(400)
    expect((await send('<enabled>no</enabled>')).status).toBe(400)
    expect(await expectStatus(200, send('<enabled>true</enabled>'))).toContain('<enabled>true</enabled>')
  })

  test('are changed by one of two who read the same', async () => {
    const { at, rule } = await place()
    const tag = (await call('GET', ruleIn(at, rule))).headers.get('etag') ?? ''
    const send = (change: object) =>
      call('PUT', ruleIn(at, rule), { body: { ...rule, ...change }, headers: { 'if-match': tag } })
    await expectStatus(200, send({ enabled: false }))
    await expectStatus(412, send({ originalPort: 81 }))
    expect(await read(ruleIn(at, rule))).toMatchObject({ enabled: false, originalPort: 80 })
  })

  test('in the document of the machine are refused twice, also if one is disabled', async () => {
    const { at } = await place()
    const machine = await read(at.path)
    const [rule] = machine.natrules
    const natrules = [rule, { ...rule, enabled: false }]
    expect(await refusal(call('PUT', at.path, { body: { ...machine, natrules } }))).toEqual([
      409,
      'NAT-RULE-3',
    ])
    const { natrules: after } = await expectStatus(
      200,
      call('PUT', at.path, { body: { ...machine, natrules: [{ ...rule, enabled: false }] } }),
    )
    expect(after).toMatchObject([{ id: rule.id, enabled: false }])
  })
})

test('a port that several rules want at once is given to one', async () => {
  const { at, rule } = await place()
  const body = ruleBody(at, dnat(443, 8443, 'ANY'))
  const answers = await Promise.all([
    put(at, rule, { originalPort: 443 }),
    put(at, await addRule(at, dnat(81)), { originalPort: 443 }),
    call('POST', `${at.path}/natrules`, { body }),
  ])
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  expect(statuses.filter((status) => status < 300)).toHaveLength(1)
  const { collection } = await read(`${at.path}/natrules`)
  expect(collection.filter(({ originalPort }: Rule) => originalPort === 443)).toHaveLength(1)
})

test('a table disables rules, and an exported one changes nothing', async () => {
  const { at, rule } = await place()
  await addRule(at, { ...dnat(81), enabled: false })
  const { name } = await read(`/api/admin/datacenters/${at.network.datacenter}`)
  const exported = await call('GET', '/api/export?entity=natrules', { headers: { accept: 'text/csv' } })
  const [header = '', ...lines] = (await exported.text()).split(/\r?\n/)
  const own = lines.filter((line) => line.includes(name))
  expect(own).toHaveLength(2)
  const plan = (rows: string[]) =>
    expectStatus(
      201,
      call('POST', '/api/plans?entity=natrules', {
        headers: { 'content-type': 'text/csv' },
        body: [header, ...rows].join('\r\n'),
      }),
    )
  expect(await plan(own)).toMatchObject({ operations: [], refusals: [] })
  const column = header.split(',').indexOf('enabled')
  const withState = (of: (state: string | undefined) => string) =>
    own.map((line) => {
      const cells = line.split(',')
      return cells.toSpliced(column, 1, of(cells[column])).join(',')
    })
  const turned = withState((state) => (state === 'true' ? 'FALSE' : 'true'))
  const { id, operations, refusals } = await plan(turned)
  expect(refusals).toEqual([])
  expect(operations).toHaveLength(2)
  await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`))
  expect(await read(ruleIn(at, rule))).toMatchObject({ enabled: false })
  expect(await plan(withState(() => ''))).toMatchObject({ operations: [] })
  expect((await plan(withState(() => 'no'))).refusals).toHaveLength(2)
})

test('one disabled rule is named once as the reason, whichever end finds it', async () => {
  const { at, rule } = await place()
  await expectStatus(200, put(at, rule, { enabled: false }))
  const body = { from: '10.0.0.1', to: '192.0.2.1', protocol: 'TCP', port: 80 }
  const { reason } = await expectStatus(
    200,
    call('POST', `${networksPath(at.network.datacenter)}/action/explain`, { body }),
  )
  expect(reason.split(`the rule ${rule.id} is disabled`)).toHaveLength(2)
})

test('many rules are not enabled by an undo, nor by a plan, of those who may not change rules', async () => {
  const { at, rule } = await place()
  const machine = await read(at.path)
  const [one] = machine.natrules
  const natrules = Array.from({ length: 25 }, (_, index) => ({
    ...one,
    originalPort: 80 + index,
    translatedPort: 8080,
  }))
  await expectStatus(200, call('PUT', at.path, { body: { ...machine, natrules } }))
  const { event } = await bulk(at, { filter: '', enabled: false })
  const states = async () =>
    (await read(`${at.path}/natrules?limit=0`)).collection.map(({ enabled }: Rule) => enabled)
  const undo = (as = admin) => call('POST', `/api/events/${event}/action/undo`, { as })
  const reader = await newUser({
    privileges: ['EVENTLOG_VIEW_ALL', 'PHYS_DC_RETRIEVE_DETAILS', 'VDC_ENUMERATE', 'MANAGE_NATIPS'],
  })
  await expectStatus(403, undo(reader))
  const token = await newAccessToken(await newUser(), {
    privileges: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_ENUMERATE'],
  })
  const { natrules: exported } = await read('/api/export?entity=natrules')
  const { name } = await read(`/api/admin/datacenters/${at.network.datacenter}`)
  const own = exported.filter(({ datacenter }: { datacenter: string }) => datacenter === name)
  const wanted = { natrules: own.map((each: object) => ({ ...each, enabled: true })) }
  const plan = await call('POST', '/api/plans', { as: null, headers: withToken(token.token), body: wanted })
  if (plan.ok) {
    const { id, refusals } = await plan.json()
    const applied = await call('POST', `/api/plans/${id}/action/apply`, {
      as: null,
      headers: withToken(token.token),
    })
    expect(applied.ok && refusals.length === 0).toBe(false)
  }
  expect(new Set(await states())).toEqual(new Set([false]))
  await expectStatus(200, undo())
  expect(new Set(await states())).toEqual(new Set([true]))
  expect(await read(ruleIn(at, rule))).toMatchObject({ enabled: true })
})
