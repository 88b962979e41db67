import { describe, expect, test, vi } from 'vitest'
import { database } from '#lib/db/db.server'
import type { LinkDocument } from '#lib/ground/http/view'
import * as reading from '#lib/state/undo/changed.server'
import { goBackDue } from '#lib/state/undo/going-back.server'
import { newAccessToken, newServiceAccount, withToken } from '#lib/tools/testing/access-tokens'
import { call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { newRole, putUser, readUser, relinked, roleLink } from '#lib/tools/testing/identity'
import { centerPath, newAppliance, newCenter, newPrivateIp, nicLink } from '#lib/tools/testing/inventory'
import {
  attachIp,
  dnat,
  type MachineWithIps,
  newMachineWithIps,
  ruleBody,
} from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'
import { settled } from '#lib/tools/testing/settled'

const read = (path: string) => expectStatus(200, call('GET', path))
const pathIn = (links: LinkDocument[], rel: string): string =>
  new URL(links.find((link) => link.rel === rel)?.href ?? '').pathname

const undone = goBackDue

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

/** The privileges of a user who begins changes and undoes rules. */
const beginning = [
  'MANAGE_DEVICES',
  'PHYS_DC_RETRIEVE_DETAILS',
  'VDC_ENUMERATE',
  'VAPP_CUSTOMISE_SETTINGS',
] as const

const beginAs = (at: Cloud, as: User) =>
  expectStatus(200, call('POST', `${at.path}/action/change`, { as, body: {} }))
const cancel = async (at: Cloud) => {
  await expectStatus(200, call('POST', `${at.path}/action/cancel`))
  await undone()
}
const lastCounts = async (at: Cloud) => {
  const { collection } = await read(`/api/events?entity=device&entityid=${at.device}&by=id&asc=false&limit=1`)
  const { undone: gone, kept } = collection[0].changes
  return { undone: gone.after, kept: kept.after }
}

/** A machine of another enterprise behind the same device, with a rule. */
async function neighbour({ network }: MachineWithIps) {
  const { id: center } = await newCenter({ datacenter: network.datacenter })
  const natIp = await attachIp(network, center, '192.0.2.3')
  const privateIp = await newPrivateIp(center, '10.1.0.1')
  const appliance = await newAppliance({ center })
  const path = `${centerPath(center)}/virtualappliances/${appliance.id}/virtualmachines`
  const body = { name: 'Neighbour', links: [nicLink(0, center, privateIp)] }
  const { id } = await expectStatus(201, call('POST', path, { body }))
  const machine = {
    network,
    center,
    natIps: [natIp, natIp],
    privateIps: [privateIp, privateIp],
    path: `${path}/${id}`,
  }
  return { rule: await addRule(machine as unknown as MachineWithIps, dnat(443)) }
}

const roleAt = async (path: string) => {
  const { collection } = await read(`${path}/action/privileges`)
  return { ...(await read(path)), privileges: collection.map(({ name }: { name: string }) => name) }
}
const roleOf = async (user: number): Promise<{ id: number; name: string; privileges: string[] }> => {
  const { links } = await readUser(user)
  return roleAt(pathIn(links, 'role'))
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

  test('are in the response to a gateway, with the added and removed translations', async () => {
    const at = await cloud()
    await settled(database())
    const { revision, entries: before } = await translations(at)
    await begin(at)
    await settled(database())
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
    await vi.waitFor(async () => expect(await translations(at)).not.toHaveProperty('unconfirmed'), 15_000)
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

  test('stay, and are counted, if the user who began has lost their privileges', async () => {
    const at = await cloud()
    const user = await newUser({ privileges: beginning })
    await beginAs(at, user)
    await changeRules(at)
    const meanwhile = await entries(at)
    await expectStatus(204, call('DELETE', `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`))
    await expectStatus(200, call('POST', `${at.path}/action/cancel`))
    await undone()
    expect(await entries(at)).toEqual(meanwhile)
    expect(await lastCounts(at)).toEqual({ undone: '0', kept: '4' })
    expect((await translations(at)).unconfirmed).toBeUndefined()
  })

  test('go back no further than the privileges of the access token that began them, and not once it has ended', async () => {
    for (const isRevoked of [false, true]) {
      const at = await cloud()
      const user = await newUser()
      const { id, token } = await newAccessToken(user, { privileges: beginning })
      const headers = withToken(token)
      const path = `${at.path}/action/change`
      await expectStatus(200, call('POST', path, { as: null, headers, body: {} }))
      const before = await entries(at)
      await makeDefault(at.machine, at.machine.natIps[0])
      await expectStatus(204, call('DELETE', at.rule))
      const meanwhile = await entries(at)
      if (isRevoked)
        await expectStatus(
          204,
          call('DELETE', `/api/admin/enterprises/_/users/${user.id}/tokens/${id}`, { as: user }),
        )
      await cancel(at)
      const now = await entries(at)
      const isRule = ({ kind }: { kind: string }) => kind === 'dnat'
      expect(now.filter(isRule)).toEqual(isRevoked ? [] : before.filter(isRule))
      // The token lacks MANAGE_NATIPS.
      expect(now.filter((each: { kind: string }) => !isRule(each))).toEqual(
        meanwhile.filter((each: { kind: string }) => !isRule(each)),
      )
    }
  })

  test('stay where the maker of the token of a service account no longer reaches it', async () => {
    const { account, manager } = await newServiceAccount({ privileges: beginning })
    const { token } = await newAccessToken({ ...account, password: '' }, {}, manager)
    const at = await cloud()
    const headers = withToken(token)
    await expectStatus(200, call('POST', `${at.path}/action/change`, { as: null, headers, body: {} }))
    await expectStatus(204, call('DELETE', at.rule))
    const meanwhile = await entries(at)
    const role = roleLink(await newRole({ privileges: ['USERS_MANAGE_USERS'] }))
    const maker = await readUser(manager.id)
    await expectStatus(200, putUser(maker, { links: relinked(maker, 'role', role) }))
    await cancel(at)
    expect(await entries(at)).toEqual(meanwhile)
  })

  test('affect only translations of the device, if the user who began could undo them by hand', async () => {
    const at = await cloud()
    const other = await neighbour(at.machine)
    const { datacenter } = at.machine.network
    const scope = await newScope({
      enterprises: [at.machine.enterprise],
      datacenters: [datacenter],
    })
    const place = { scopeId: scope.id, enterpriseId: at.machine.enterprise }
    const beginner = await newUser({ ...place, privileges: beginning })
    const demoted = await newUser({ enterpriseId: at.machine.enterprise })
    const [ofDemoted, ofBeginner] = [await roleOf(demoted.id), await roleOf(beginner.id)]
    await beginAs(at, beginner)
    const before = await entries(at)
    const { natrules } = await expectStatus(200, call('GET', '/api/export?entity=natrules'))
    const { name: datacenterName } = await read(`/api/admin/datacenters/${datacenter}`)
    const rules = natrules.filter((each: { datacenter: string }) => each.datacenter === datacenterName)
    const own = rules.find(({ originalPort }: { originalPort: number }) => originalPort === 80)
    const document = {
      users: [{ nick: demoted.nick, role: ofBeginner.name }],
      roles: [{ name: ofDemoted.name, privileges: ['VDC_ENUMERATE'] }],
      natrules: [{ ...own, translatedPort: 8001 }],
    }
    const plan = await expectStatus(201, call('POST', '/api/plans', { body: document }))
    expect(plan.refusals).toEqual([])
    await expectStatus(200, call('POST', `/api/plans/${plan.id}/action/apply`))
    await expectStatus(204, call('DELETE', other.rule))
    await cancel(at)
    const portsOf = (list: { natPort?: number; privatePort?: number }[]) =>
      list.flatMap(({ natPort, privatePort }) => (natPort ? [[natPort, privatePort]] : []))
    expect(portsOf(before)).toEqual([
      [80, 8000],
      [443, 443],
    ])
    expect(portsOf(await entries(at))).toEqual([[80, 8000]])
    expect(await lastCounts(at)).toEqual({ undone: '2', kept: '1' })
    expect((await roleOf(demoted.id)).name).toBe(ofBeginner.name)
    expect(ofDemoted.privileges.length).toBeGreaterThan(1)
    const changed = await roleAt(`/api/admin/roles/${ofDemoted.id}`)
    expect(changed.privileges).toEqual(['VDC_ENUMERATE'])
  })

  test('neither begin nor are undone for a user who may not change NAT rules', async () => {
    const at = await cloud()
    const gateway = await newUser({ privileges: ['MANAGE_DEVICES', 'PHYS_DC_RETRIEVE_DETAILS'] })
    const post = (action: string) =>
      call('POST', `${at.path}/action/${action}`, { as: gateway, ...(action === 'change' && { body: {} }) })
    expect((await post('change')).status).toBe(403)
    await begin(at)
    expect((await post('cancel')).status).toBe(403)
    expect((await post('confirm')).status).toBe(204)
  })

  test('go back at one device although another one fails', async () => {
    const [at, broken] = [await cloud(), await cloud()]
    for (const each of [broken, at]) {
      await begin(each)
      await expectStatus(204, call('DELETE', each.rule))
    }
    const before = await entries(at)
    const restore = vi.spyOn(reading, 'changedRows').mockRejectedValueOnce(new Error('the disk is full'))
    for (const each of [broken, at]) await expectStatus(200, call('POST', `${each.path}/action/cancel`))
    await undone()
    restore.mockRestore()
    expect((await entries(at)).length).toBe(before.length + 1)
    expect(await read(`${broken.path}/change`)).toHaveProperty('ends')
    vi.setSystemTime(Date.now() + 60_000)
    await undone()
    vi.useRealTimers()
    expect(await read(`${broken.path}/change`)).not.toHaveProperty('ends')
    expect(await lastCounts(broken)).toEqual({ undone: '1', kept: '0' })
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
