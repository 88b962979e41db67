import { describe, expect, test } from 'vitest'
import { call, expectStatus, type User, unique } from '#lib/tools/testing/client'
import { csvOf, readCsv } from '#lib/tools/testing/csv'
import { createdUser, ENTERPRISES, newRole, PASSWORD, ROLES, usersOf } from '#lib/tools/testing/identity'
import { networksPath } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { newScope, putScope, SCOPES } from '#lib/tools/testing/scopes'

const { datacenter, networks, seen, hidden, machines, limited } = await natSample()

const nat = networksPath(datacenter.id)
const four = `${nat}/${networks.four.id}`
const allips = `${nat}/action/allips`
const allrules = `${nat}/action/allrules`

const named = (name: string): string => `?has=${encodeURIComponent(name)}`

const read = (path: string, as?: User) => expectStatus(200, call('GET', path, { ...(as && { as }) }))

describe('CSV of the list', () => {
  const networkColumns =
    'id,name,cidr,datacenter,datacenterId,device,deviceId,ips,usedIps,rules,assignable,fillsOn,description,tags'
  const ips =
    'id,ip,network,networkId,available,quarantine,defaultSnat,virtualDatacenter,virtualDatacenterId,enterprise,enterpriseId,datacenter,datacenterId,description,tags,ends'
  const rules =
    'id,type,original,originalPort,translated,translatedPort,protocol,natIp,natIpId,privateIp,privateIpId,network,networkId,virtualMachine,virtualMachineId,virtualDatacenter,virtualDatacenterId,datacenter,datacenterId,deviceState,packets,bytes,enabled,originalPortEnd,sources,description,tags,ends'

  test.each([
    [nat, 'nat-networks', networkColumns],
    ['/api/admin/natnetworks', 'nat-networks', networkColumns],
    [allips, 'nat-ips', ips],
    ['/api/admin/natnetworks/action/allips', 'nat-ips', ips],
    [`${four}/ips`, 'nat-ips', ips],
    [allrules, 'nat-rules', rules],
    ['/api/admin/natnetworks/action/allrules', 'nat-rules', rules],
    [`${four}/rules`, 'nat-rules', rules],
    [ENTERPRISES, 'enterprises', 'id,name,twoFactorAuthenticationMandatory,scope,scopeId,description,tags'],
    [
      usersOf('_'),
      'users',
      'id,nick,name,surname,email,description,enterprise,enterpriseId,role,roleId,scope,scopeId,active,locked,firstLogin,twoFactor,authType,locale,allowedCIDRs,invited,ends,tags',
    ],
    [ROLES, 'roles', 'id,name,blocked,enterprise,enterpriseId,scope,scopeId,privileges,description,tags'],
    [
      '/api/events',
      'events',
      'id,timestamp,user,enterprise,action,entityType,entityId,entityName,changes,requestId,ip,count',
    ],
    [
      SCOPES,
      'scopes',
      'id,name,parent,parentId,automaticAddEnterprise,automaticAddDatacenter,enterprises,enterpriseIds,datacenters,datacenterIds,description,tags',
    ],
    ['/api/admin/datacenters', 'datacenters', 'id,name,location,description,tags'],
    [
      '/api/cloud/virtualdatacenters',
      'virtual-datacenters',
      'id,name,enterprise,enterpriseId,datacenter,datacenterId,device,deviceId,description,tags',
    ],
    [
      `/api/cloud/virtualdatacenters/${machines.seen.virtualDatacenter}/virtualappliances`,
      'virtual-appliances',
      'id,name,virtualDatacenter,virtualDatacenterId,enterprise,enterpriseId,datacenter,datacenterId,description,tags',
    ],
    [
      '/api/cloud/virtualmachines',
      'virtual-machines',
      'id,name,label,state,virtualAppliance,virtualApplianceId,virtualDatacenter,virtualDatacenterId,enterprise,enterpriseId,datacenter,datacenterId,user,userId,template,templateId,privateIps,natRules,description,tags',
    ],
  ])('%s is the file %s, with its columns', async (path, filename, columns) => {
    const response = await call('GET', `${path}?format=csv`)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${filename}.csv"`)
    const [first] = (await response.text()).split('\r\n', 1)
    expect(first).toBe(columns)
  })
})

describe('the CSV rows of NAT IPs', () => {
  test('have the state and the holder of each IP', async () => {
    const [row, more] = (await readCsv(`${allips}?has=10.0.0.2&limit=1`)).rows
    expect(more).toBeUndefined()
    expect(row).toEqual({
      id: expect.stringMatching(/^\d+$/),
      ip: '10.0.0.2',
      network: networks.four.name,
      networkId: String(networks.four.id),
      available: 'true',
      quarantine: 'false',
      defaultSnat: 'true',
      virtualDatacenter: expect.stringContaining('B visible'),
      virtualDatacenterId: String(machines.seen.virtualDatacenter),
      enterprise: seen.name,
      enterpriseId: String(seen.id),
      datacenter: datacenter.name,
      datacenterId: String(datacenter.id),
      description: '',
      tags: '',
      ends: '',
    })
    const [free] = (await readCsv(`${allips}?has=10.0.0.12`)).rows
    expect(free).toMatchObject({
      virtualDatacenter: '',
      virtualDatacenterId: '',
      enterprise: '',
      enterpriseId: '',
    })
  })

  test.each([
    '',
    'all=true&limit=0',
    'all=true&by=network&limit=7&startwith=5',
    'all=true&by=enterprise&asc=false&limit=0',
    'snatdefault=true&all=true',
    'all=true&attached=true&quarantine=false&limit=0&asc=false',
    'available=false&limit=0',
    'has=2001&limit=2&asc=false',
    'limit=2&startwith=1000',
  ])('with %j are those of the JSON document, in the same order', async (query) => {
    for (const [path, as] of [[allips], [`${four}/ips`], [allips, limited]] as const) {
      const { collection } = await read(`${path}?${query}`, as)
      const { rows } = await readCsv(`${path}?${query}`, as)
      expect(rows.map(({ id, ip, available }) => [id, ip, available])).toEqual(
        collection.map(({ id, ip, available }: Record<string, unknown>) => [
          String(id),
          ip,
          String(available),
        ]),
      )
    }
  })
})

test('the CSV rows of virtual machines are those that the caller sees, with their private IPs and rules', async () => {
  const path = '/api/cloud/virtualmachines?limit=0'
  const row = (await readCsv(path, limited)).rows.find(({ id }) => id === String(machines.seen.id))
  expect(row).toMatchObject({
    name: machines.seen.name,
    enterprise: seen.name,
    datacenter: datacenter.name,
    privateIps: expect.stringContaining('192.168.0.5'),
    natRules: expect.stringMatching(/^[1-9]/),
  })
  const { collection } = await read(path, limited)
  expect((await readCsv(path, limited)).rows.map(({ id }) => Number(id))).toEqual(
    collection.map(({ id }: { id: number }) => id),
  )
})

describe('the CSV rows of NAT rules', () => {
  const byType = async (type: string, port = '') =>
    (await readCsv(`${four}/rules?limit=0`)).rows.find(
      (row) => row.type === type && row.originalPort === port,
    )

  const same = {
    natIp: '10.0.0.2',
    privateIp: '192.168.0.5',
    privateIpId: String(machines.seen.privateIps[0]),
    network: networks.four.name,
    networkId: String(networks.four.id),
    virtualMachine: machines.seen.name,
    virtualMachineId: String(machines.seen.id),
    virtualDatacenterId: String(machines.seen.virtualDatacenter),
  }

  test('lead from the private IP to the NAT IP for SNAT, and the other way round for DNAT', async () => {
    expect(await byType('SNAT')).toMatchObject({
      ...same,
      original: '192.168.0.5',
      translated: '10.0.0.2',
      originalPort: '',
      translatedPort: '',
      protocol: '',
    })
    expect(await byType('DNAT', '443')).toMatchObject({
      ...same,
      original: '10.0.0.2',
      translated: '192.168.0.5',
      translatedPort: '8443',
      protocol: 'TCP',
    })
  })

  test('have the filters and orders of JSON, also for the rules of one IP', async () => {
    const [row] = (await readCsv(`${allips}?has=10.0.0.2&limit=1`)).rows
    for (const path of [allrules, `${four}/rules`, `${four}/ips/${row?.id}/rules`]) {
      for (const query of [
        'limit=0',
        'snat=false&by=originalport&asc=false',
        'has=tcp&limit=1&startwith=1',
      ]) {
        const { collection } = await read(`${path}?${query}`)
        const { rows } = await readCsv(`${path}?${query}`)
        expect(rows.map(({ id }) => id)).toEqual(collection.map(({ id }: { id: number }) => String(id)))
      }
    }
  })
})

test('the CSV rows of events have each change as before → after', async () => {
  const scope = await newScope()
  const name = `${unique('Renamed')}, "again"`
  await expectStatus(200, putScope(scope, { name, automaticAddDatacenter: true }))
  const path = `/api/events?entity=scope&entityid=${scope.id}&by=id`
  const { collection } = await read(path)
  const { rows } = await readCsv(path)
  expect(rows.map(({ id, timestamp, requestId }) => [id, timestamp, requestId])).toEqual(
    collection.map((event: Record<string, unknown>) => [String(event.id), event.timestamp, event.requestId]),
  )
  expect(rows[0]).toMatchObject({
    action: 'create',
    user: 'admin',
    entityType: 'scope',
    entityId: String(scope.id),
    entityName: scope.name,
    changes: `name: → ${scope.name}; automaticAddDatacenter: → false; automaticAddEnterprise: → false; description: → `,
    ip: '127.0.0.1',
    count: '1',
  })
  expect(rows[1]).toMatchObject({
    action: 'update',
    entityName: name,
    changes: `name: ${scope.name} → ${name}; automaticAddDatacenter: false → true`,
  })
})

test('the CSV rows of scopes, enterprises, users and roles have the names of linked resources', async () => {
  const parent = await newScope({ enterprises: [seen.id, hidden.id], datacenters: [datacenter.id] })
  const child = await newScope({ parent: parent.id, enterprises: [seen.id] })
  expect((await readCsv(SCOPES + named(child.name))).rows[0]).toMatchObject({
    parent: parent.name,
    parentId: String(parent.id),
    enterprises: seen.name,
    datacenters: '',
    enterpriseIds: String(seen.id),
    datacenterIds: '',
  })
  expect((await readCsv(SCOPES + named(parent.name))).rows[0]).toMatchObject({
    parent: '',
    parentId: '',
    enterpriseIds: `${seen.id} ${hidden.id}`,
    datacenterIds: String(datacenter.id),
  })
  const roleName = unique('Role')
  const role = await newRole({ name: roleName, enterpriseId: seen.id })
  expect((await readCsv(ROLES + named(roleName))).rows).toEqual([
    {
      id: String(role),
      name: roleName,
      blocked: 'false',
      enterprise: seen.name,
      enterpriseId: String(seen.id),
      scope: '',
      scopeId: '',
      privileges: '',
      description: '',
      tags: '',
    },
  ])
  const allowedCIDRs = ['192.0.2.0/24', '2001:db8::/32']
  const user = await createdUser(seen.id, { role, scope: child.id, allowedCIDRs, name: '=1+1' })
  expect((await readCsv(`${usersOf(seen.id)}${named(user.nick)}`)).rows[0]).toMatchObject({
    name: "'=1+1",
    enterprise: seen.name,
    role: roleName,
    roleId: String(role),
    scope: child.name,
    scopeId: String(child.id),
    active: 'true',
    twoFactor: 'false',
    allowedCIDRs: '192.0.2.0/24 2001:db8::/32',
  })
  const text = await csvOf(usersOf(seen.id))
  expect(text).not.toContain(PASSWORD)
})
