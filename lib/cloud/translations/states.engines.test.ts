import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { noteSilent } from '#lib/cloud/translations/states.server'
import { deviceStateInput } from '#lib/cloud/translations/translations.schema'
import { transaction } from '#lib/db/db.server'
import { linkOf } from '#lib/ground/http/view'
import { call, expectStatus, newEnterprise, newUser } from '#lib/tools/testing/client'
import {
  addIps,
  addRule,
  attach,
  newDatacenter,
  newDevice,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'

afterEach(() => {
  vi.useRealTimers()
})

/** A gateway's device with a DNAT rule. */
async function cloud() {
  const [{ id: enterprise }, { id: datacenter }] = [await newEnterprise(), await newDatacenter()]
  const { id: device } = await newDevice(datacenter, { typeName: 'LINUX' })
  const network = await newNetwork({ datacenter, device, cidr: '203.0.113.0/24' })
  await addIps(network, { count: 3 })
  const machine = await newMachine({ enterprise, datacenter, privateIps: ['192.168.0.10'] })
  await attach(network, machine.virtualDatacenter, '203.0.113.1')
  await addRule(network, '203.0.113.1', machine, { protocol: 'TCP', originalPort: 80, translatedPort: 8000 })
  const path = `/api/cloud/locations/${datacenter}/devices/${device}`
  const revision: number = await vi.waitFor(async () => {
    const now = await expectStatus(200, call('GET', `${path}/translations`))
    expect(now.revision).toBeGreaterThan(0)
    return now.revision
  }, 15_000)
  const rules = `/api/admin/datacenters/${datacenter}/natnetworks/action/allrules`
  return { device, network, machine, path, state: `${path}/state`, rules, revision }
}

type Cloud = Awaited<ReturnType<typeof cloud>>

const ruleOf = async (at: Cloud) => (await expectStatus(200, call('GET', at.rules))).collection[0]

const report = (at: Cloud, fields: object = {}) =>
  expectStatus(
    200,
    call('PUT', at.state, { body: { revision: at.revision, interval: 10, translations: 1, ...fields } }),
  )

const eventsOf = async (at: Cloud) =>
  (
    await expectStatus(200, call('GET', `/api/events?entity=device&entityid=${at.device}&by=id`))
  ).collection.map(({ action, changes, user }: { action: string; changes: object; user?: string }) => ({
    action,
    changes,
    user,
  }))

describe('the state of a device', () => {
  test('is unmanaged without a report, and then as the gateway reported', async () => {
    const at = await cloud()
    expect(await expectStatus(200, call('GET', at.state))).toEqual({
      links: expect.any(Array),
      status: 'unmanaged',
    })
    expect(await ruleOf(at)).toMatchObject({ deviceState: 'unmanaged' })
    expect(await ruleOf(at)).not.toHaveProperty('packets')
    const { id: rule } = await ruleOf(at)
    const said = {
      mode: 'enforce',
      drift: [],
      refused: [],
      counters: [{ rule, packets: 3, bytes: 180 }],
      agent: { name: 'gateway', version: '1' },
    }
    const shown = {
      ...said,
      revision: at.revision,
      newestRevision: at.revision,
      interval: 10,
      translations: 1,
      formatVersion: 1,
      status: 'insync',
      reported: expect.any(String),
    }
    expect(await report(at, said)).toMatchObject(shown)
    expect(await expectStatus(200, call('GET', at.state))).toMatchObject(shown)
    expect(await ruleOf(at)).toMatchObject({ deviceState: 'active', packets: 3, bytes: 180 })
    expect(await expectStatus(200, call('GET', at.path))).toMatchObject({ status: 'insync' })
    const xml = await call('GET', at.state, { headers: { accept: 'application/xml' } })
    expect(await xml.text()).toContain('<status>insync</status>')
  })

  test('keeps the counters that a report leaves out, and ignores the rules of other devices', async () => {
    const [at, other] = [await cloud(), await cloud()]
    const [{ id: rule }, { id: foreign }] = [await ruleOf(at), await ruleOf(other)]
    await report(other)
    await report(at, {
      counters: [
        { rule, packets: 5, bytes: 300 },
        { rule: foreign, packets: 9, bytes: 9 },
        { rule: 987_654_321, packets: 1, bytes: 1 },
      ],
    })
    await report(at, { drift: [{ rule: foreign, reason: 'is missing' }] })
    expect(await ruleOf(at)).toMatchObject({ packets: 5, bytes: 300 })
    expect(await ruleOf(other)).toMatchObject({ packets: 0, bytes: 0, deviceState: 'active' })
  })

  test('is outdated, with the number of rules, if the gateway does not understand some of them', async () => {
    const at = await cloud()
    const narrow = (columns: { sources?: string | null; disabled_at?: number | null }) =>
      transaction((trx) =>
        trx.updateTable('nat_rules').set(columns).where('nat_network_id', '=', at.network.id).execute(),
      )
    const faulty = async () => {
      const { collection } = await expectStatus(200, call('GET', '/api/cloud/devices?faulty=true&limit=0'))
      return collection.some(({ id }: { id: number }) => id === at.device)
    }
    expect(await report(at)).toMatchObject({ status: 'insync', formatVersion: 1 })
    expect(await faulty()).toBe(false)
    await narrow({ sources: '198.51.100.0/24' })
    expect(await expectStatus(200, call('GET', at.state))).toMatchObject({ status: 'outdated', leftOut: 1 })
    expect(await expectStatus(200, call('GET', at.path))).toMatchObject({ status: 'outdated' })
    expect((await ruleOf(at)).deviceState).toBe('outdated')
    const refused = [{ reason: 'contradicts another rule' }]
    expect(await report(at, { refused })).toMatchObject({ status: 'outdated', leftOut: 1 })
    expect(await faulty()).toBe(true)
    expect((await eventsOf(at)).at(-1)).toMatchObject({
      action: 'change-status',
      changes: { status: { before: 'insync', after: 'outdated' } },
    })
    await narrow({ disabled_at: Date.now() })
    expect(await expectStatus(200, call('GET', at.state))).not.toHaveProperty('leftOut')
    await narrow({ disabled_at: null })
    expect(await report(at, { formatVersion: 2, revision: 10 ** 12 })).toMatchObject({
      status: 'insync',
      formatVersion: 2,
    })
    expect(await expectStatus(200, call('GET', at.path))).toMatchObject({ status: 'insync' })
    expect(await expectStatus(200, call('GET', at.state))).not.toHaveProperty('leftOut')
    expect(await faulty()).toBe(false)
    expect(await refusal(call('PUT', at.state, { body: { revision: 1, formatVersion: 0 } }))).toEqual([
      400,
      'CONSTR-MIN',
    ])
  })

  test.each(['application/json', 'application/xml'])(
    'changes the ETags of a rule, its machine and the device, and leaves If-Match as it is: %s',
    async (accept) => {
      const at = await cloud()
      const { id: rule, links } = await ruleOf(at)
      const pathOf = (rel: string): string => linkOf({ links }, rel)?.href ?? ''
      const paths = [pathOf('self'), pathOf('virtualmachine'), at.path]
      const tags = await Promise.all(
        paths.map(
          async (path) => (await call('GET', path, { headers: { accept } })).headers.get('etag') ?? '',
        ),
      )
      await report(at, { counters: [{ rule, packets: 5, bytes: 300 }] })
      const [own = '', ...others] = tags
      for (const [index, tag] of tags.entries()) {
        const path = paths[index] ?? ''
        const headers = { accept, 'if-none-match': tag }
        expect((await call('GET', path, { headers })).status).toBe(200)
        const body = await expectStatus(200, call('GET', path))
        await expectStatus(200, call('PUT', path, { body, headers: { 'if-match': `"other", ${tag}` } }))
      }
      const body = await expectStatus(200, call('GET', pathOf('self')))
      const put = (change: object, tag: string) =>
        call('PUT', pathOf('self'), { body: { ...body, ...change }, headers: { 'if-match': tag } })
      for (const wrong of [...others, `W/${own}`, own.slice(1, -1), own.replace('"', '"x')])
        expect((await put({ enabled: false }, wrong)).status).toBe(412)
      await expectStatus(200, put({ enabled: false }, own))
      expect((await put({ originalPort: 81 }, own)).status).toBe(412)
    },
  )

  test('is the first of silent, refused, drifted and pending that holds', async () => {
    const at = await cloud()
    const { id: rule } = await ruleOf(at)
    const statusAfter = async (fields: object) => [
      (await report(at, fields)).status,
      (await ruleOf(at)).deviceState,
    ]
    const drift = [{ rule, reason: 'is missing' }]
    const refused = [{ rule, reason: 'contradicts another rule' }]
    expect(await statusAfter({ revision: 0 })).toEqual(['pending', 'pending'])
    expect(await statusAfter({ revision: 0, drift })).toEqual(['drifted', 'drifted'])
    expect(await statusAfter({ revision: 0, drift, refused })).toEqual(['refused', 'refused'])
    expect(await statusAfter({})).toEqual(['insync', 'active'])
    expect(await statusAfter({ drift: [{ reason: 'a foreign chain' }] })).toEqual(['drifted', 'active'])
    vi.setSystemTime(Date.now() + 29_000)
    expect((await expectStatus(200, call('GET', at.state))).status).toBe('drifted')
    vi.setSystemTime(Date.now() + 2000)
    expect((await expectStatus(200, call('GET', at.state))).status).toBe('silent')
    expect((await expectStatus(200, call('GET', at.path))).status).toBe('silent')
    expect((await ruleOf(at)).deviceState).toBe('silent')
  })

  test('makes an event when its status changes, also to silent, and none for a report', async () => {
    const at = await cloud()
    await report(at)
    await report(at)
    await report(at, { drift: [{ reason: 'a foreign chain' }] })
    vi.setSystemTime(Date.now() + 31_000)
    await Promise.all([noteSilent(), noteSilent()])
    await noteSilent()
    await report(at)
    const change = (before: string, after: string, user?: string) => ({
      action: 'change-status',
      changes: { status: { before, after } },
      user,
    })
    expect(await eventsOf(at)).toEqual([
      change('unmanaged', 'insync', 'admin'),
      change('insync', 'drifted', 'admin'),
      change('drifted', 'silent'),
      change('silent', 'insync', 'admin'),
    ])
    const [{ id }] = (
      await expectStatus(200, call('GET', `/api/events?entity=device&entityid=${at.device}&by=id`))
    ).collection
    expect(await refusal(call('POST', `/api/events/${id}/action/undo`))).toEqual([409, 'UNDO-3'])
  })

  test('is no part of a change of the device or of its rules', async () => {
    const at = await cloud()
    await report(at)
    const device = await expectStatus(200, call('GET', at.path))
    await expectStatus(200, call('PUT', at.path, { body: { ...device, description: 'another' } }))
    const [, last] = await eventsOf(at)
    expect(Object.keys(last.changes)).toEqual(['description'])
  })

  test('is reported by callers with MANAGE_DEVICES who see the datacenter, in a sound document', async () => {
    const at = await cloud()
    const reader = await newUser({ privileges: allPrivileges.filter((each) => each !== 'MANAGE_DEVICES') })
    expect((await call('PUT', at.state, { as: reader, body: { revision: 1 } })).status).toBe(403)
    expect(await refusal(call('PUT', at.state, { body: { revision: -1 } }))).toEqual([
      400,
      expect.stringMatching(/CONSTR|GEN/),
    ])
    expect((await call('PUT', at.state, { body: { revision: 1, mode: 'destroy' } })).status).toBe(400)
    expect((await call('PUT', at.state, { body: { revision: 1, interval: 0 } })).status).toBe(400)
    expect((await expectStatus(200, call('GET', at.state))).status).toBe('unmanaged')
  })

  test('takes no text with control or bidirectional characters', async () => {
    const at = await cloud()
    const texts = textsIn(deviceStateInput)
    expect(texts.map((path) => path.join('.'))).toEqual([
      'drift.0.reason',
      'refused.0.reason',
      'agent.name',
      'agent.version',
    ])
    for (const path of texts)
      for (const bad of ['\u001b[2J', 'a\nb', '\u0085', '\u009b31m', '\u202e', '\u2066', '\u200f']) {
        const agent = { name: 'gateway', version: '1' }
        const body = { revision: at.revision, drift: [{ reason: '' }], refused: [{ reason: '' }], agent }
        const put = (text: string) => call('PUT', at.state, { body: withText(body, path, text) })
        expect(await refusal(put(`x${bad}`))).toEqual([400, 'CONSTR-PATTERN'])
        expect((await put('ñ → 日本')).status).toBe(200)
      }
  })
})

/** The paths of all fields of the document that are free text. */
function textsIn(schema: z.ZodType, path: string[] = []): string[][] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return textsIn(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodArray) return textsIn(schema.element as z.ZodType, [...path, '0'])
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) =>
      textsIn(field as z.ZodType, [...path, name]),
    )
  return schema instanceof z.ZodString ? [path] : []
}

function withText(body: object, [name = '', ...rest]: string[], text: string): object {
  const copy = structuredClone(body) as Record<string, object | string>
  copy[name] = rest.length === 0 ? text : withText((copy[name] ?? {}) as object, rest, text)
  return copy
}
