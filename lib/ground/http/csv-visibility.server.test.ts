import { expect, test } from 'vitest'
import { call, codesOf, newUser, unique } from '#lib/tools/testing/client'
import { csvOf, readCsv } from '#lib/tools/testing/csv'
import { ENTERPRISES, newRole, ROLES, usersOf } from '#lib/tools/testing/identity'
import { networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { newScope, SCOPES } from '#lib/tools/testing/scopes'

/* A limited caller's CSV holds only what they can see: no hidden row, and no hidden name or id in a visible row. */

const { datacenter, networks, seen, hidden, machines, limited } = await natSample()

const nat = networksPath(datacenter.id)

const secrets = [hidden.name, machines.hidden.name, 'A secret', '172.30.9.9']

test.each(['ips', 'rules'])(
  'CSV of NAT %s names a holder only to callers who can see its enterprise',
  async (what) => {
    const path = `${nat}/action/all${what}?limit=0${what === 'ips' ? '&all=true' : ''}`
    const [whole, part] = [await csvOf(path), await csvOf(path, limited)]
    expect(part.split('\r\n')).toHaveLength(whole.split('\r\n').length)
    for (const secret of secrets) expect(part).not.toContain(secret)
    expect(whole).toContain('A secret')
    expect(part).toContain('B visible')
  },
)

test('a rule of a hidden machine keeps its NAT IP and ports, and has empty cells for the rest', async () => {
  const rulesOf = async (as?: typeof limited) =>
    (await readCsv(`${nat}/${networks.six.id}/rules?snat=false`, as)).rows
  const [whole] = await rulesOf()
  const [part] = await rulesOf(limited)
  expect(whole).toMatchObject({ translated: '172.30.9.9', virtualMachineId: String(machines.hidden.id) })
  expect(part).toEqual({
    ...whole,
    translated: '',
    privateIp: '',
    privateIpId: '',
    virtualMachine: '',
    virtualMachineId: '',
    virtualDatacenter: '',
    virtualDatacenterId: '',
  })
})

test('a datacenter that the caller cannot see has no CSV', async () => {
  const { id } = await newDatacenter()
  await newNetwork({ datacenter: id, cidr: '10.0.0.0/24' })
  for (const list of ['', '/action/allips', '/action/allrules']) {
    const response = await call('GET', `${networksPath(id)}${list}?format=csv&limit=0`, { as: limited })
    expect([response.status, await codesOf(response)]).toEqual([404, ['DC-0']])
  }
})

test('CSV lists have the visible rows, and no others', async () => {
  const [here, there] = [await newUser({ enterpriseId: seen.id }), await newUser({ enterpriseId: hidden.id })]
  const [shown, secret] = [unique('Shown'), unique('Secret')]
  await newRole({ name: shown, enterpriseId: seen.id })
  await newRole({ name: secret, enterpriseId: hidden.id })
  const other = await newDatacenter()
  const network = await newNetwork({ datacenter: other.id, cidr: '10.0.0.0/24' })
  const scope = await newScope()
  for (const [path, visible, invisible] of [
    [ENTERPRISES, seen.name, hidden.name],
    ['/api/admin/datacenters', datacenter.name, other.name],
    ['/api/admin/natnetworks', networks.four.name, network.name],
    [usersOf('_'), here.nick, there.nick],
    [ROLES, shown, secret],
    [SCOPES, undefined, scope.name],
    ['/api/events', undefined, scope.name],
  ] as const) {
    const [whole, part] = [await csvOf(`${path}?limit=0`), await csvOf(`${path}?limit=0`, limited)]
    expect([path, whole.includes(invisible), part.includes(invisible)]).toEqual([path, true, false])
    if (visible) expect(part).toContain(visible)
  }
})

test('in CSV the caller’s own scope does not show its parent', async () => {
  const parent = await newScope({ enterprises: [seen.id] })
  const child = await newScope({ parent: parent.id, enterprises: [seen.id] })
  const as = await newUser({ scopeId: child.id })
  const row = { id: String(child.id), enterpriseIds: String(seen.id) }
  const path = `${SCOPES}?has=${encodeURIComponent(child.name)}`
  expect((await readCsv(path)).rows).toMatchObject([{ ...row, parent: parent.name }])
  expect((await readCsv(path, as)).rows).toMatchObject([{ ...row, parent: '', parentId: '' }])
})
