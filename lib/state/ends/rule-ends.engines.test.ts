import { afterEach, describe, expect, test, vi } from 'vitest'
import { remindOfEnds } from '#lib/state/ends/end-notices.server'
import { endDue } from '#lib/state/ends/ends.server'
import { call, expectStatus, newUser } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { networksPath } from '#lib/tools/testing/nat'
import { dnat, type MachineWithIps, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'

const DAY = 24 * 60 * 60 * 1000

const inDays = (days: number) => {
  const at = Date.now() + days * DAY
  return { at, ends: new Date(at).toISOString() }
}

const bodyOf = (machine: MachineWithIps, settings: object) => ({
  ...ruleBody(machine, dnat(80)),
  ...settings,
})

async function ruleWith(settings: object = {}) {
  const machine = await newMachineWithIps()
  const list = `${machine.path}/natrules`
  const rule = await expectStatus(201, call('POST', list, { body: bodyOf(machine, settings) }))
  return { machine, id: rule.id as number, path: `${list}/${rule.id}` }
}

const read = (path: string) => expectStatus(200, call('GET', path))

const lastEvent = async (id: number) =>
  (await read(`/api/events?entity=natrule&entityid=${id}&by=id&asc=false`)).collection[0]

const undo = (event: { id: number }) => expectStatus(200, call('POST', `/api/events/${event.id}/action/undo`))

afterEach(() => {
  vi.useRealTimers()
})

describe('the end of a NAT rule (docs/api/ends.md, "Ends")', () => {
  test('is not in the past; a change without it keeps it, an empty one clears it', async () => {
    const { ends } = inDays(3)
    const { machine, path } = await ruleWith({ ends })
    const put = (settings: object) => call('PUT', path, { body: bodyOf(machine, settings) })
    expect((await read(path)).ends).toBe(ends)
    expect((await expectStatus(200, put({}))).ends).toBe(ends)
    expect(await refusal(put({ ends: inDays(-1).ends }))).toEqual([400, 'ENDS-1'])
    const post = call('POST', `${machine.path}/natrules`, {
      body: { ...ruleBody(machine, dnat(81)), ends: inDays(-1).ends },
    })
    expect(await refusal(post)).toEqual([400, 'ENDS-1'])
    const whole = await read(machine.path)
    await expectStatus(200, call('PUT', machine.path, { body: whole }))
    expect((await read(path)).ends).toBe(ends)
    expect(await expectStatus(200, put({ ends: '' }))).not.toHaveProperty('ends')
  })

  test('disables the rule once, in one process or two, and can be undone', async () => {
    const { at, ends } = inDays(3)
    const { id, path } = await ruleWith({ ends })
    await endDue(at - 1)
    expect(await read(path)).toMatchObject({ enabled: true, ends })
    await Promise.all([endDue(at), endDue(at)])
    const ended = await read(path)
    expect(ended.enabled).toBe(false)
    expect(ended).not.toHaveProperty('ends')
    const events = await read(`/api/events?entity=natrule&entityid=${id}&action=end`)
    expect(events.collection).toMatchObject([
      { changes: { enabled: { before: 'true', after: 'false' }, ends: { before: ends } } },
    ])
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    await undo(events.collection[0])
    const back = await read(path)
    expect(back.enabled).toBe(true)
    expect(back).not.toHaveProperty('ends')
  })

  test('that has passed while the rule was deleted is an end too', async () => {
    const { at, ends } = inDays(3)
    const { id, path } = await ruleWith({ ends })
    await expectStatus(204, call('DELETE', path))
    const event = await lastEvent(id)
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    await undo(event)
    const back = await read(path)
    expect(back.enabled).toBe(false)
    expect(back).not.toHaveProperty('ends')
  })

  test('is in lists, exports and plans', async () => {
    const { machine, id, path } = await ruleWith({ ends: '2090-01-01T00:00:00Z' })
    await expectStatus(201, call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, dnat(443)) }))
    const { datacenter } = machine.network
    const list = `${networksPath(datacenter)}/action/allrules?endsbefore=2091-01-01T00:00:00Z`
    const { collection, totalSize } = await read(list)
    expect(collection.map((rule: { id: number }) => rule.id)).toEqual([id])
    expect(totalSize).toBe(1)
    const { natrules } = await read('/api/export?entity=natrules')
    const item = natrules.find(
      (rule: { network: string; originalPort: number }) =>
        rule.network === machine.network.name && rule.originalPort === 80,
    )
    expect(item.ends).toBe('2090-01-01T00:00:00.000Z')
    const planOf = (ends: string) =>
      expectStatus(201, call('POST', '/api/plans', { body: { natrules: [{ ...item, ends }] } }))
    expect((await planOf(item.ends)).operations).toEqual([])
    const plan = await planOf('')
    await expectStatus(200, call('POST', `/api/plans/${plan.id}/action/apply`))
    expect(await read(path)).not.toHaveProperty('ends')
    expect((await planOf('')).operations).toEqual([])
  })

  test('is announced by mail to the user who set it', () =>
    withMailbox(async ({ of }) => {
      const email = newAddress()
      const setter = await newUser({ email })
      const { at, ends } = inDays(3)
      const { machine, path } = await ruleWith()
      await expectStatus(200, call('PUT', path, { as: setter, body: bodyOf(machine, { ends }) }))
      await remindOfEnds(at - 0.5 * DAY)
      await remindOfEnds(at - 0.4 * DAY)
      const subjects = (await of(email)).map(({ subject }) => subject)
      expect(subjects).toEqual(['192.0.2.1 → 10.0.0.1 ends soon'])
    }))
})
