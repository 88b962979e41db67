import { describe, expect, test, vi } from 'vitest'
import type { LinkDocument } from '#lib/http/view'
import { performAs } from '#lib/pipeline/endpoint.server'
import { call, expectStatus, newUser } from '#lib/testing/client'
import { centerPath } from '#lib/testing/inventory'
import { dnat, type MachineWithIps, newMachineWithIps, ruleBody } from '#lib/testing/nat-rules'
import { refusal } from '#lib/testing/refusal'
import { takeBackDue } from '#lib/translations/unconfirmed.server'

const read = (path: string) => expectStatus(200, call('GET', path))
const pathIn = (links: LinkDocument[], rel: string): string =>
  new URL(links.find((link) => link.rel === rel)?.href ?? '').pathname

const undone = () =>
  takeBackDue((caller, event) => performAs(caller, { method: 'POST', path: `/events/${event}/action/undo` }))

/** A device with a machine behind it that has a rule and a default SNAT. */
async function cloud() {
  const machine = await newMachineWithIps()
  const { network, natIps } = machine
  const { links } = await read(`/api/admin/datacenters/${network.datacenter}/natnetworks/${network.id}`)
  const path = pathIn(links, 'device')
  const rule = await addRule(machine, dnat(80, 8000))
  await makeDefault(machine, natIps[1])
  return { machine, rule, path, device: Number(path.split('/').at(-1)) }
}
type Cloud = Awaited<ReturnType<typeof cloud>>

const addRule = async (
  machine: MachineWithIps,
  rule: ReturnType<typeof dnat> | { snat: true },
): Promise<string> => {
  const made = await expectStatus(
    201,
    call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, rule) }),
  )
  return `${machine.path}/natrules/${made.id}`
}
const makeDefault = ({ center }: MachineWithIps, natIp: number) =>
  expectStatus(200, call('PUT', `${centerPath(center)}/natips/${natIp}`, { body: { defaultSnat: true } }))

const translations = (at: Cloud, query = '') => read(`${at.path}/translations${query}`)
const entries = async (at: Cloud) => (await translations(at)).entries
const begin = (at: Cloud, confirmTimeout = 60) =>
  expectStatus(200, call('POST', `${at.path}/action/change`, { body: { confirmTimeout } }))
const changeRules = async ({ machine, rule }: Cloud) => {
  await addRule(machine, dnat(53, 53, 'UDP'))
  await addRule(machine, { snat: true })
  await expectStatus(204, call('DELETE', rule))
}
const undoLast = async () => {
  const { collection } = await read('/api/events?entity=natip&by=id&asc=false&limit=1')
  await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
}
const eventsOf = async (at: Cloud) => {
  const { collection } = await read(`/api/events?entity=device&entityid=${at.device}&by=id`)
  return collection.map(({ action }: { action: string }) => action)
}

describe('changes of a device that wait to be confirmed', () => {
  test('go back as a whole when their time is over, and not before', async () => {
    const at = await cloud()
    const before = await entries(at)
    const change = await begin(at, 10)
    expect(change).toMatchObject({ confirmTimeout: 10 })
    await changeRules(at)
    await undone()
    const meanwhile = await entries(at)
    expect(meanwhile).not.toEqual(before)
    vi.setSystemTime(Date.parse(change.ends))
    await Promise.all([undone(), undone()])
    vi.useRealTimers()
    expect(await entries(at)).toEqual(before)
    expect(await read(`${at.path}/change`)).not.toHaveProperty('ends')
    expect((await translations(at)).unconfirmed).toBeUndefined()
    expect(await eventsOf(at)).toEqual(['begin-change', 'take-back-change'])
  })

  test('stay once they are confirmed', async () => {
    const at = await cloud()
    const change = await begin(at)
    await changeRules(at)
    const meanwhile = await entries(at)
    await expectStatus(204, call('POST', `${at.path}/action/confirm`))
    vi.setSystemTime(Date.parse(change.ends))
    await undone()
    vi.useRealTimers()
    expect(await entries(at)).toEqual(meanwhile)
    expect(await refusal(call('POST', `${at.path}/action/confirm`))).toEqual([409, 'DEVICE-4'])
    expect(await eventsOf(at)).toEqual(['begin-change', 'confirm-change'])
  })

  test('go back at once when they are cancelled', async () => {
    const at = await cloud()
    const before = await entries(at)
    expect(await refusal(call('POST', `${at.path}/action/cancel`))).toEqual([409, 'DEVICE-4'])
    await begin(at)
    await changeRules(at)
    await expectStatus(200, call('POST', `${at.path}/action/cancel`))
    expect(await refusal(call('POST', `${at.path}/action/confirm`))).toEqual([409, 'DEVICE-4'])
    await undone()
    expect(await entries(at)).toEqual(before)
  })

  test('are in what a gateway reads, with what they added and removed', async () => {
    const at = await cloud()
    const { revision, entries: before } = await translations(at)
    await begin(at)
    const empty = await translations(at, `?since=${revision}&wait=1`)
    expect(empty).toMatchObject({ added: [], removed: [], unconfirmed: { added: [], removed: [] } })
    expect(empty.revision).toBeGreaterThan(revision)
    await changeRules(at)
    await vi.waitFor(async () => {
      const { entries: now, unconfirmed } = await translations(at)
      expect(unconfirmed.seconds).toBeGreaterThan(50)
      const text = (each: unknown) => JSON.stringify(each)
      const added = new Set(unconfirmed.added.map(text))
      const left = now.filter((each: unknown) => !added.has(text(each)))
      expect([...left, ...unconfirmed.removed].map(text).sort()).toEqual(before.map(text).sort())
    }, 15_000)
    await expectStatus(204, call('POST', `${at.path}/action/confirm`))
    await vi.waitFor(async () => expect(await translations(at)).not.toHaveProperty('unconfirmed'))
  })

  test('of which one was undone already leave it so, and go back after an undo of the undo', async () => {
    const at = await cloud()
    const before = await entries(at)
    await begin(at)
    await makeDefault(at.machine, at.machine.natIps[0])
    await undoLast()
    expect(await entries(at)).toEqual(before)
    await expectStatus(200, call('POST', `${at.path}/action/cancel`))
    await undone()
    expect(await entries(at)).toEqual(before)
    await begin(at)
    await makeDefault(at.machine, at.machine.natIps[0])
    await undoLast()
    await undoLast()
    expect(await entries(at)).not.toEqual(before)
    await expectStatus(200, call('POST', `${at.path}/action/cancel`))
    await undone()
    expect(await entries(at)).toEqual(before)
  })

  test('go back for a user who may do nothing any more, and with the changes of others', async () => {
    const at = await cloud()
    const before = await entries(at)
    const user = await newUser({ privileges: ['MANAGE_DEVICES', 'PHYS_DC_RETRIEVE_DETAILS'] })
    await expectStatus(200, call('POST', `${at.path}/action/change`, { as: user, body: {} }))
    await changeRules(at)
    await expectStatus(204, call('DELETE', `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`))
    await expectStatus(200, call('POST', `${at.path}/action/cancel`))
    await undone()
    expect(await entries(at)).toEqual(before)
  })

  test('DEVICE-3: wait one after the other, for 10 to 3600 seconds', async () => {
    const at = await cloud()
    const post = (body: object) => call('POST', `${at.path}/action/change`, { body })
    expect((await post({ confirmTimeout: 9 })).status).toBe(400)
    expect((await post({ confirmTimeout: 3601 })).status).toBe(400)
    const answers = await Promise.all([post({}), post({})])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await refusal(post({}))).toEqual([409, 'DEVICE-3'])
  })
})
