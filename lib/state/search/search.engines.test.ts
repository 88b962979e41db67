import { describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { GLOBAL_SCOPE } from '#lib/caller/scopes/scopes.schema'
import { transaction } from '#lib/db/db.server'
import { insertEnterprise } from '#lib/people/identity/enterprises.server'
import type { SearchHit } from '#lib/state/search/search.schema'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { createdUser, newRole } from '#lib/tools/testing/identity'
import { addIps, newDatacenter, newDevice, newMachine, newNetwork } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const PATH = '/api/session/search'

type Answer = { links: unknown[]; collection: SearchHit[]; totalSize: number }

const ask = (has: string, { limit, as = admin }: { limit?: number; as?: User } = {}): Promise<Answer> =>
  expectStatus(
    200,
    call('GET', `${PATH}?has=${encodeURIComponent(has)}${limit === undefined ? '' : `&limit=${limit}`}`, {
      as,
    }),
  )

const names = ({ collection }: Answer): string[] => collection.map(({ name }) => name)

const typesAndIds = ({ collection }: Answer): string[] => collection.map(({ type, id }) => `${type} ${id}`)

/** One resource of each kind with a name, all with the same unique word in it. */
async function world() {
  const word = unique('World')
  const datacenter = await newDatacenter(`${word} datacenter`)
  const enterprise = await newEnterprise(`${word} enterprise`)
  const scope = await newScope({
    name: `${word} scope`,
    datacenters: [datacenter.id],
    enterprises: [enterprise.id],
  })
  const device = await newDevice(datacenter.id, { name: `${word} device` })
  const network = await newNetwork({
    datacenter: datacenter.id,
    device: device.id,
    cidr: '10.0.0.0/24',
    name: `${word} network`,
  })
  const role = await newRole({ name: `${word} role`, enterpriseId: enterprise.id })
  const user = await createdUser(enterprise.id, { role, nick: `${word}-user`, name: 'Ada', surname: 'Byron' })
  const center = await newMachine({
    enterprise: enterprise.id,
    datacenter: datacenter.id,
    virtualDatacenterName: `${word} center`,
    name: `${word} machine`,
  })
  return {
    word,
    datacenter,
    enterprise,
    scope,
    device,
    network,
    role,
    user,
    center: center.virtualDatacenter,
    machine: center.id,
  }
}

const everything = (made: Awaited<ReturnType<typeof world>>) => [
  `scope ${made.scope.id}`,
  `enterprise ${made.enterprise.id}`,
  `datacenter ${made.datacenter.id}`,
  `natnetwork ${made.network.id}`,
  `user ${made.user.id}`,
  `role ${made.role}`,
  `device ${made.device.id}`,
  `virtualdatacenter ${made.center}`,
  `virtualmachine ${made.machine}`,
]

describe('the search', () => {
  test('finds each kind of resource by its name, in any case, kind after kind', async () => {
    const made = await world()
    const found = await ask(` ${made.word.toUpperCase()} `)
    expect(typesAndIds(found)).toEqual(everything(made))
    expect([found.totalSize, found.links]).toEqual([9, []])
  })

  test('shows the place of each hit, and how it differs from others', async () => {
    const made = await world()
    const { word, datacenter, enterprise, network, device } = made
    const { collection } = await ask(word)
    const self = (type: string, path: string, name: string) => [
      {
        rel: 'self',
        href: `${ORIGIN}/api${path}`,
        type: `application/vnd.service.${type}+json`,
        title: name,
      },
    ]
    const hits = Object.fromEntries(collection.map((hit) => [hit.type, hit]))
    const networkPath = `/admin/datacenters/${datacenter.id}/natnetworks/${network.id}`
    expect(hits.natnetwork).toEqual({
      links: self('natnetwork', networkPath, network.name),
      type: 'natnetwork',
      id: network.id,
      name: network.name,
      detail: '10.0.0.0/24',
      datacenter: datacenter.id,
    })
    const userPath = `/admin/enterprises/${enterprise.id}/users/${made.user.id}`
    expect(hits.user).toEqual({
      links: self('user', userPath, made.user.nick),
      type: 'user',
      id: made.user.id,
      name: made.user.nick,
      detail: 'Ada Byron',
      enterprise: enterprise.id,
    })
    const devicePath = `/cloud/locations/${datacenter.id}/devices/${device.id}`
    expect(hits.device).toMatchObject({
      links: self('device', devicePath, device.name),
      detail: datacenter.name,
      datacenter: datacenter.id,
    })
    expect(hits.role).toMatchObject({ detail: enterprise.name, enterprise: enterprise.id })
    expect(hits.virtualdatacenter).toMatchObject({
      links: self('virtualdatacenter', `/cloud/virtualdatacenters/${made.center}`, `${word} center`),
      detail: enterprise.name,
      datacenter: datacenter.id,
      enterprise: enterprise.id,
    })
    expect(hits.virtualmachine).toMatchObject({
      detail: `${word} center`,
      datacenter: datacenter.id,
      enterprise: enterprise.id,
    })
    expect(hits.datacenter).toMatchObject({ detail: 'Here', datacenter: datacenter.id })
    expect(hits.scope).not.toHaveProperty('detail')
  })

  test('links each hit to its resource', async () => {
    const { word, network } = await world()
    await addIps(network, { from: '10.0.0.7', count: 1 })
    for (const { links, id, type } of [
      ...(await ask(word)).collection,
      ...(await ask('10.0.0.7')).collection,
    ]) {
      const document = await expectStatus(200, call('GET', links[0]?.href ?? ''))
      expect([type, document.id]).toEqual([type, id])
    }
  })

  test('lists names that begin with the text before those that contain it, each by name', async () => {
    const word = unique('Order')
    for (const name of [`${word} b`, `a ${word}`, `${word} a`, `b ${word}`]) await newEnterprise(name)
    expect(names(await ask(word))).toEqual([`${word} a`, `${word} b`, `a ${word}`, `b ${word}`])
    expect(names(await ask(word, { limit: 3 }))).toEqual([`${word} a`, `${word} b`, `a ${word}`])
    expect(names(await ask(word, { limit: 1 }))).toEqual([`${word} a`])
  })

  test('lists up to five of each kind by default, and twenty at most', async () => {
    const word = unique('Many')
    await transaction(async (trx) => {
      for (let count = 10; count < 40; count += 1)
        await insertEnterprise(trx, { name: `${word} ${count}`, scopeId: GLOBAL_SCOPE })
    })
    expect((await ask(word)).collection).toHaveLength(5)
    expect(await ask(word, { limit: 20 })).toMatchObject({ totalSize: 20 })
    for (const limit of ['0', '21', '-1', 'all', ''])
      expect(await refusal(call('GET', `${PATH}?has=x&limit=${limit}`))).toEqual([400, 'GEN-22'])
  })

  test('finds users by their names and e-mail address too, and networks by their CIDR', async () => {
    const { id } = await newEnterprise()
    const word = unique('person').replace(' ', '-')
    const role = await newRole()
    const user = await createdUser(id, { role, name: `Given${word}`, email: `${word}@example.com` })
    expect(typesAndIds(await ask(`given${word}`))).toEqual([`user ${user.id}`])
    expect(typesAndIds(await ask(`${word}@example.com`))).toEqual([`user ${user.id}`])
    const datacenter = await newDatacenter()
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '203.0.113.192/27' })
    expect(typesAndIds(await ask('203.0.113.192/27'))).toContain(`natnetwork ${network.id}`)
  })

  test('takes every character literally, and finds nothing without a text', async () => {
    const { word } = await world()
    for (const wild of ['%', '_', '\\']) expect((await ask(word.replace(' ', wild))).collection).toEqual([])
    const literal = await newScope({ name: `${word} 100%_\\` })
    expect(names(await ask(`${word} 100%_\\`))).toEqual([literal.name])
    for (const nothing of ['', ' \t'])
      expect(await ask(nothing)).toEqual({ links: [], collection: [], totalSize: 0 })
    expect(await expectStatus(200, call('GET', PATH))).toMatchObject({ totalSize: 0 })
    expect(await refusal(call('GET', `${PATH}?has=%00`))).toEqual([400, 'GEN-22'])
  })

  test('is there in XML too', async () => {
    const { word, enterprise } = await world()
    const headers = { accept: 'application/xml' }
    const xml = await expectStatus(200, call('GET', `${PATH}?has=${encodeURIComponent(word)}`, { headers }))
    expect(xml).toMatch(
      /<searchhits><totalSize>9<\/totalSize><searchhit><link .*<\/searchhit><\/searchhits>$/,
    )
    expect(xml).toContain(`<type>enterprise</type><id>${enterprise.id}</id><name>${enterprise.name}</name>`)
  })
})

describe('the search finds what the caller', () => {
  test.each<[Privilege, string[]]>([
    ['USERS_VIEW_PRIVILEGES', ['scope', 'role']],
    ['USERS_MANAGE_USERS', ['scope', 'user']],
    ['ENTERPRISE_ENUMERATE', ['enterprise']],
    ['PHYS_DC_ENUMERATE', ['datacenter']],
    ['PHYS_DC_RETRIEVE_DETAILS', ['natnetwork', 'natip', 'device']],
    ['VDC_ENUMERATE', ['natnetwork', 'virtualdatacenter', 'virtualmachine']],
    ['USERS_VIEW', ['user']],
    ['EVENTLOG_VIEW_ALL', []],
  ])('may list: with %s %j', async (privilege, expected) => {
    const { word, network } = await world()
    await addIps(network, { from: '10.0.0.9', count: 1 })
    const as = await newUser({ privileges: [privilege] })
    const found = [...(await ask(word, { as })).collection, ...(await ask('10.0.0.9', { as })).collection]
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(expected))
  })

  test('finds nothing outside their scope', async () => {
    const [here, away] = [await world(), await world()]
    const common = 'World '
    const as = await newUser({ scopeId: here.scope.id, enterpriseId: here.enterprise.id })
    expect(typesAndIds(await ask(here.word, { as }))).toEqual(everything(here))
    expect(typesAndIds(await ask(away.word, { as }))).toEqual([])
    const seen = (await ask(common, { as, limit: 20 })).collection.map(({ name }) => name)
    expect(seen.filter((name) => !name.startsWith(here.word))).toEqual([])
  })

  test('does not see the name of a hidden parent or enterprise', async () => {
    const hidden = await newScope({ name: unique('Hidden') })
    const { id } = await newEnterprise()
    const word = unique('Child')
    const own = await newScope({ name: word, parent: hidden.id, enterprises: [id] })
    const as = await newUser({ scopeId: own.id, privileges: allPrivileges })
    const [hit] = (await ask(word, { as })).collection
    expect(hit).toMatchObject({ id: own.id })
    expect(hit).not.toHaveProperty('detail')
    expect((await ask(word)).collection[0]).toMatchObject({ detail: hidden.name })
  })

  test('is: nothing without credentials', async () => {
    expect((await call('GET', `${PATH}?has=x`, { as: null })).status).toBe(401)
  })
})
