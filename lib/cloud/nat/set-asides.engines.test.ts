import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import type { NatFinding } from '#lib/cloud/nat/check.schema'
import { dayIn, type NatSetAsideDocument } from '#lib/cloud/nat/set-asides.schema'
import { removeOldSetAsides } from '#lib/cloud/nat/set-asides.server'
import { transaction } from '#lib/db/db.server'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
} from '#lib/tools/testing/client'
import { readCsv } from '#lib/tools/testing/csv'
import { centerPath, newCenter, newPrivateIp } from '#lib/tools/testing/inventory'
import { changeIp, networksPath } from '#lib/tools/testing/nat'
import { attachIp, dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const DAY = 24 * 60 * 60 * 1000

afterEach(() => {
  vi.useRealTimers()
})

/** A machine that is off, with a rule; both NAT IPs are free of other findings. */
async function place() {
  const machine = await newMachineWithIps()
  const rule = await expectStatus(
    201,
    call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, dnat(443)) }),
  )
  const { datacenter } = machine.network
  const setState = async (state: string) => {
    const document = await expectStatus(200, call('GET', machine.path))
    await expectStatus(200, call('PUT', machine.path, { body: { ...document, state } }))
  }
  await setState('OFF')
  return { ...machine, datacenter, rule: rule.id as number, setState, key: `NATCHECK-9.${rule.id}` }
}

const listPath = (datacenter: number): string => `/api/admin/datacenters/${datacenter}/setasides`

type Sent = { finding: string; reason?: string; until?: string }

const put = (
  datacenter: number,
  { finding, reason = 'maintenance', until = dayIn(7) }: Sent,
  as: User = admin,
) => call('POST', listPath(datacenter), { as, body: { finding, reason, until } })

const setAside = (...sent: Parameters<typeof put>): Promise<NatSetAsideDocument> =>
  expectStatus(201, put(...sent))

const findings = async (datacenter: number, query = '?code=NATCHECK-9', as: User = admin) => {
  const path = `${networksPath(datacenter)}/action/check${query}`
  const { collection } = await expectStatus(200, call('GET', path, { as }))
  return collection as NatFinding[]
}
const keys = async (...of: Parameters<typeof findings>) =>
  (await findings(...of)).map(({ identity }) => identity)

const aside = '?code=NATCHECK-9&setaside=true'

const counts = (datacenter: number) =>
  expectStatus(200, call('GET', `${networksPath(datacenter)}/action/checkcounts`))

const pathOf = ({ links }: NatSetAsideDocument): string =>
  linkOf({ links }, 'edit')?.href.replace(ORIGIN, '') ?? ''

test('a finding that is set aside leaves list and counts, and is listed when asked, with reason, day and user', async () => {
  const { datacenter, key } = await place()
  expect(await keys(datacenter)).toEqual([key])
  const before = await counts(datacenter)
  const made = await setAside(datacenter, { finding: key, reason: 'off until Friday' })
  expect(made).toMatchObject({
    finding: key,
    subject: '192.0.2.1',
    reason: 'off until Friday',
    until: dayIn(7),
  })
  expect(await keys(datacenter)).toEqual([])
  const [finding] = await findings(datacenter, aside)
  expect(finding).toMatchObject({ identity: key, setAside: { reason: 'off until Friday', until: dayIn(7) } })
  expect(linkOf(finding?.setAside ?? { links: [] }, 'user')?.title).toBe('admin')
  expect(idOfLink(linkOf(finding?.setAside ?? { links: [] }, 'natsetaside'))).toBe(made.id)
  expect(await counts(datacenter)).toMatchObject({ warning: before.warning - 1, setAside: 1 })
  const { rows } = await readCsv(`${networksPath(datacenter)}/action/check?setaside=true`)
  expect(rows[0]).toMatchObject({
    identity: key,
    setAsideReason: 'off until Friday',
    setAsideUntil: dayIn(7),
  })
  const headers = { accept: 'application/vnd.service.natfindings+xml' }
  const path = `${networksPath(datacenter)}/action/check${aside}`
  expect(await expectStatus(200, call('GET', path, { headers }))).toContain(
    '<reason>off until Friday</reason>',
  )
})

test('the numbers of each datacenter that the caller sees have both', async () => {
  const [one, other] = [await place(), await place()]
  await setAside(one.datacenter, { finding: one.key })
  const scope = await newScope({
    datacenters: [one.datacenter, other.datacenter],
    automaticAddEnterprise: true,
  })
  const as = await newUser({ scopeId: scope.id })
  const { collection, totalSize } = await expectStatus(
    200,
    call('GET', '/api/admin/natnetworks/action/checkcounts?by=id', { as }),
  )
  expect(totalSize).toBe(2)
  const numbers = collection.map((row: { id: number; warning: number; setAside: number }) => [
    row.id,
    row.warning,
    row.setAside,
  ])
  expect(numbers).toEqual([
    [one.datacenter, 0, 1],
    [other.datacenter, 1, 0],
  ])
})

test('is refused for another key, twice, without a reason, and for a day that is over or too far', async () => {
  const { datacenter, key } = await place()
  const refused = (sent: Sent) => refusal(put(datacenter, sent))
  expect(await refused({ finding: 'NATCHECK-9.987654321' })).toEqual([409, 'NAT-CHECK-1'])
  expect(await refused({ finding: 'NATCHECK-99.1' })).toEqual([400, 'CONSTR-PATTERN'])
  expect(await refused({ finding: key, reason: '' })).toEqual([400, 'CONSTR-LENGTH'])
  expect(await refused({ finding: key, reason: 'x'.repeat(201) })).toEqual([400, 'CONSTR-LENGTH'])
  for (const until of [dayIn(-1), dayIn(400), 'tomorrow'])
    expect(await refused({ finding: key, until })).toEqual([400, 'CONSTR-PATTERN'])
  await setAside(datacenter, { finding: key, reason: 'x'.repeat(200), until: dayIn(366) })
  expect(await refused({ finding: key })).toEqual([409, 'NAT-CHECK-2'])
})

test('the finding comes back after the day, and the rest is removed', async () => {
  const { datacenter, key } = await place()
  const { id } = await setAside(datacenter, { finding: key, until: dayIn(1) })
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.parse(dayIn(1)) + DAY - 1000)
  expect(await keys(datacenter)).toEqual([])
  vi.setSystemTime(Date.now() + 2000)
  expect(await keys(datacenter)).toEqual([key])
  expect(await keys(datacenter, aside)).toEqual([])
  // The journal must not learn of tomorrow.
  vi.useRealTimers()
  await transaction((trx) =>
    trx
      .updateTable('nat_setasides')
      .set({ until_day: dayIn(-1) })
      .where('id', '=', id)
      .execute(),
  )
  await removeOldSetAsides()
  expect(await refusal(call('GET', `${listPath(datacenter)}/${id}`))).toEqual([404, 'NAT-CHECK-0'])
})

test('the finding comes back when it is another one', async () => {
  const { datacenter, natIps, rule } = await place()
  const code = '?code=NATCHECK-3'
  const key = `NATCHECK-3.${rule}`
  await changeIp(natIps[0], { virtual_datacenter_id: null })
  await setAside(datacenter, { finding: key })
  expect(await keys(datacenter, code)).toEqual([])
  const other = await newCenter({ datacenter })
  await changeIp(natIps[0], { virtual_datacenter_id: other.id })
  expect(await keys(datacenter, code)).toEqual([key])
  await setAside(datacenter, { finding: key, reason: 'another one' })
  expect(await keys(datacenter, code)).toEqual([])
  expect(await findings(datacenter, `${code}&setaside=true`)).toMatchObject([
    { setAside: { reason: 'another one' } },
  ])
})

test('reason and day can change, and the finding can be shown again', async () => {
  const { datacenter, key } = await place()
  const made = await setAside(datacenter, { finding: key })
  const body = { ...made, reason: 'longer', until: dayIn(30) }
  expect(await expectStatus(200, call('PUT', pathOf(made), { body }))).toMatchObject({
    reason: 'longer',
    until: dayIn(30),
    finding: key,
  })
  const { collection } = await expectStatus(200, call('GET', listPath(datacenter)))
  expect(collection).toMatchObject([{ id: made.id, reason: 'longer' }])
  await expectStatus(204, call('DELETE', pathOf(made)))
  expect(await keys(datacenter)).toEqual([key])
})

test('each change is an event that can be undone', async () => {
  const { datacenter, key } = await place()
  const setter = await newUser()
  const made = await setAside(datacenter, { finding: key }, setter)
  const lastEvent = async () => {
    const { collection } = await expectStatus(
      200,
      call('GET', '/api/events?entity=natsetaside&by=id&limit=1&asc=false'),
    )
    return collection[0]
  }
  const undo = async () =>
    expectStatus(200, call('POST', `/api/events/${(await lastEvent()).id}/action/undo`))
  expect(await lastEvent()).toMatchObject({ action: 'create', entityName: 'NATCHECK-9 192.0.2.1' })
  await undo()
  expect(await keys(datacenter)).toEqual([key])
  await undo()
  expect(await keys(datacenter)).toEqual([])
  await expectStatus(204, call('DELETE', pathOf(made)))
  expect(await keys(datacenter)).toEqual([key])
  await undo()
  expect(await keys(datacenter, aside)).toEqual([key])
  const restored = await expectStatus(200, call('GET', pathOf(made), { as: admin }))
  expect(restored).toMatchObject({ id: made.id, reason: 'maintenance' })
  expect(linkOf(restored, 'user')?.title).toBe(setter.nick)
})

test('a finding about machines of several enterprises is not set aside', async () => {
  const { network, center, natIps } = await newMachineWithIps()
  const { datacenter } = network
  const other = await newCenter({ datacenter })
  await newPrivateIp(other.id, '10.0.0.1')
  const held = [
    [center, natIps[0]],
    [other.id, await attachIp(network, other.id, '192.0.2.5')],
  ]
  for (const [holder = 0, id] of held)
    await expectStatus(
      200,
      call('PUT', `${centerPath(holder)}/natips/${id}`, { body: { defaultSnat: true } }),
    )
  const [finding] = await findings(datacenter, '?code=NATCHECK-5')
  expect(await refusal(put(datacenter, { finding: finding?.identity ?? '' }))).toEqual([409, 'NAT-CHECK-3'])
})

describe('the caller', () => {
  const withRole = (...privileges: Privilege[]) =>
    newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS', ...privileges] })

  test('needs the privilege of a fix of this finding', async () => {
    const { datacenter, key } = await place()
    expect((await put(datacenter, { finding: key }, await withRole())).status).toBe(403)
    const other = await withRole('PHYS_DC_ALLOW_MODIFY_NETWORK')
    expect(await refusal(put(datacenter, { finding: key }, other))).toEqual([403, 'GEN-15'])
    const fixer = await withRole('VAPP_CUSTOMISE_SETTINGS')
    const made = await setAside(datacenter, { finding: key }, fixer)
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: { reason: 'mine', until: dayIn(1) } } : {}
      expect(await refusal(call(method, pathOf(made), { as: other, ...body }))).toEqual([403, 'GEN-15'])
    }
    await expectStatus(204, call('DELETE', pathOf(made), { as: fixer }))
  })

  test('sets a rule in quarantine aside, or shows it again, where they see its machine', async () => {
    const { datacenter, natIps, rule } = await place()
    await changeIp(natIps[0], { quarantine: 1 })
    const key = `NATCHECK-2.${rule}`
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id], datacenters: [datacenter] })
    const stranger = await newUser({ enterpriseId: enterprise.id, scopeId: scope.id })
    expect(await keys(datacenter, '?code=NATCHECK-2', stranger)).toEqual([key])
    expect(await refusal(put(datacenter, { finding: key }, stranger))).toEqual([403, 'GEN-15'])
    expect(await keys(datacenter, '?code=NATCHECK-2')).toEqual([key])
    const made = await setAside(datacenter, { finding: key })
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: { reason: 'mine', until: dayIn(1) } } : {}
      expect(await refusal(call(method, pathOf(made), { as: stranger, ...body }))).toEqual([403, 'GEN-15'])
    }
    await expectStatus(204, call('DELETE', pathOf(made)))
  })

  test('who changes the reason is named with it', async () => {
    const { datacenter, key } = await place()
    const made = await setAside(datacenter, { finding: key })
    const other = await newUser()
    const body = { reason: 'another reason', until: dayIn(1) }
    const changed = await expectStatus(200, call('PUT', pathOf(made), { as: other, body }))
    expect(linkOf(changed, 'user')?.title).toBe(other.nick)
  })

  test('who does not see the machine sees nothing of it: neither list, nor document, nor event', async () => {
    const { datacenter, key } = await place()
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id], datacenters: [datacenter] })
    const stranger = await newUser({ enterpriseId: enterprise.id, scopeId: scope.id })
    expect(await refusal(put(datacenter, { finding: key }, stranger))).toEqual([409, 'NAT-CHECK-1'])
    const made = await setAside(datacenter, { finding: key, reason: 'a secret of theirs' })
    expect(await refusal(call('GET', pathOf(made), { as: stranger }))).toEqual([404, 'NAT-CHECK-0'])
    const list = await expectStatus(200, call('GET', listPath(datacenter), { as: stranger }))
    expect(list).toMatchObject({ collection: [], totalSize: 0 })
    const events = await expectStatus(200, call('GET', '/api/events?entity=natsetaside', { as: stranger }))
    expect(events).toMatchObject({ collection: [], totalSize: 0 })
    expect(await keys(datacenter, aside, stranger)).toEqual([])
  })
})
