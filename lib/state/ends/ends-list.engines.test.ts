import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { createdUser, newRole } from '#lib/tools/testing/identity'
import { centerPath } from '#lib/tools/testing/inventory'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const HOUR = 60 * 60 * 1000

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

const ends = (query = '', as?: User) =>
  expectStatus(200, call('GET', `/api/ends?limit=0&${query}`, { ...(as && { as }) }))

type End = { kind: string; id: number; name: string; links: { rel: string; href: string; title?: string }[] }

const linkOf = ({ links }: End, rel: string) => links.find((link) => link.rel === rel)

/** A rule, an IP and a user that end after one another. The user who sets the ends sees all of it. */
async function threeEnds() {
  const machine = await newMachineWithIps()
  const maker = await newUser({ privileges: undefined })
  const [first = 0, second = 0] = machine.natIps
  const body = { ...ruleBody(machine, dnat(80)), ends: inHours(1) }
  const rule = await expectStatus(201, call('POST', `${machine.path}/natrules`, { body, as: maker }))
  const held = `${centerPath(machine.center)}/natips/${second || first}`
  const ip = await expectStatus(
    200,
    call('PUT', held, { body: { defaultSnat: false, ends: inHours(2) }, as: maker }),
  )
  const { id: enterprise } = await newEnterprise()
  const nick = unique('ending')
  const user = await createdUser(enterprise, { nick, role: await newRole(), ends: inHours(3) }, maker)
  return { machine, maker, rule, ip, user, enterprise }
}

const ofThese = (
  { collection }: { collection: End[] },
  { rule, ip, user }: Record<'rule' | 'ip' | 'user', { id: number }>,
) =>
  collection.filter(
    ({ kind, id }) =>
      (kind === 'natrule' && id === rule.id) ||
      (kind === 'natip' && id === ip.id) ||
      (kind === 'user' && id === user.id),
  )

describe('the list of ends (docs/api/ends.md, "Ends")', () => {
  test('has all kinds, the next first, with links to them and to the user who set the end', async () => {
    const three = await threeEnds()
    const { maker, rule, ip, user } = three
    const found = ofThese(await ends(), three)
    expect(found.map(({ kind, name }) => [kind, name])).toEqual([
      ['natrule', expect.stringMatching(/^192\.0\.2\.\d+:80 → [\d.]+(:\d+)?$/)],
      ['natip', ip.ip],
      ['user', user.nick],
    ])
    expect(found[0]).toMatchObject({ ends: rule.ends })
    for (const end of found) {
      expect(linkOf(end, 'setby')?.title).toBe(maker.nick)
      const { pathname } = new URL(linkOf(end, 'self')?.href ?? '')
      expect(await expectStatus(200, call('GET', pathname))).toMatchObject({ id: end.id })
    }
    const before = await ends(`endsbefore=${inHours(2.5)}`)
    expect(ofThese(before, three).map(({ kind }) => kind)).toEqual(['natrule', 'natip'])
    const xml = await call('GET', '/api/ends?limit=1', { headers: { accept: 'application/xml' } })
    expect(await xml.text()).toMatch(/<ends>.*<totalSize>\d+<\/totalSize><end><link .*<kind>\w+<\/kind>/)
    expect((await ends(`has=${encodeURIComponent(user.nick.toUpperCase())}`)).totalSize).toBe(1)
  })

  test('is paged, and the links to pages keep the moment', async () => {
    await threeEnds()
    const { totalSize, collection } = await ends()
    expect(totalSize).toBe(collection.length)
    const page = await expectStatus(200, call('GET', '/api/ends?limit=1&startwith=1'))
    expect(page.collection).toMatchObject([{ kind: collection[1].kind, id: collection[1].id }])
    const next = page.links.find(({ rel }: { rel: string }) => rel === 'next')
    expect(next.href).toMatch(/endsbefore=/)
    expect(await refusal(call('GET', '/api/ends?endsbefore=soon'))).toEqual([400, 'GEN-22'])
  })

  test('has nothing of what the caller does not see, or may not list', async () => {
    const three = await threeEnds()
    const { network } = three.machine
    const elsewhere = await newScope({
      enterprises: [(await newEnterprise()).id],
      datacenters: [network.datacenter],
    })
    const privileges = ['PHYS_DC_RETRIEVE_DETAILS', 'USERS_VIEW', 'VDC_ENUMERATE'] as const
    const other = await newUser({ privileges, scopeId: elsewhere.id })
    expect(await ends('', other)).toMatchObject({ totalSize: 0, collection: [] })
    const here = await newScope({ enterprises: [three.enterprise] })
    const ofUsers = await newUser({ privileges: ['USERS_VIEW'], scopeId: here.id })
    const seen = await ends('', ofUsers)
    expect(seen).toMatchObject({ totalSize: 1, collection: [{ kind: 'user', id: three.user.id }] })
    // The user who set the end is of another enterprise.
    expect(linkOf(seen.collection[0], 'setby')).toBeUndefined()
    const ofIps = await newUser({ privileges: ['MANAGE_NATIPS'] })
    const [ip, ...others] = ofThese(await ends('', ofIps), three)
    expect(others).toEqual([])
    expect(ip?.links.map(({ rel }) => rel)).toEqual(['self'])
    const { pathname } = new URL(ip?.links[0]?.href ?? '')
    expect(await expectStatus(200, call('GET', pathname, { as: ofIps }))).toMatchObject({ id: three.ip.id })
    const none = await newUser({ privileges: [] })
    expect(await ends('', none)).toMatchObject({ totalSize: 0, collection: [] })
  })
})
