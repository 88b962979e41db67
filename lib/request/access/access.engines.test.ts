import { beforeAll, describe, expect, test } from 'vitest'
import { operationsOn } from '#components/frame/access/operations'
import { transaction } from '#lib/db/db.server'
import { type LinkDocument, linkOf } from '#lib/ground/http/view'
import { newAccessToken } from '#lib/tools/testing/access-tokens'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  unique,
} from '#lib/tools/testing/client'
import { newMachineWithIps } from '#lib/tools/testing/nat-rules'
import { newScope, SCOPES } from '#lib/tools/testing/scopes'
import { changeUser } from '#lib/tools/testing/session'

const EXPLAIN = '/api/access/action/explain'
const WHO = '/api/access/action/who'

type Person = Awaited<ReturnType<typeof newUser>>

async function appliedPlan(as: Person): Promise<number> {
  const body = { enterprises: [{ name: unique('Planned') }] }
  const { id } = await expectStatus(201, call('POST', '/api/plans', { as, body }))
  await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`, { as }))
  return id
}

let enterprise = 0
let [top, middle, leaf] = [0, 0, 0]
let [manager, viewer]: Person[] = []

const explain = (body: object, as?: Person) => call('POST', EXPLAIN, { body, ...(as && { as }) })
const explained = (body: object, as?: Person) => expectStatus(200, explain(body, as))
const who = (query: Record<string, string>, as?: Person) =>
  call('GET', `${WHO}?${new URLSearchParams(query)}`, { ...(as && { as }) })
const titles = ({ links }: { links: LinkDocument[] }, rel: string) =>
  links.filter((link) => link.rel === rel).map(({ title }) => title)

beforeAll(async () => {
  enterprise = (await newEnterprise()).id
  top = (await newScope({ name: unique('Top'), enterprises: [enterprise] })).id
  middle = (await newScope({ name: unique('Middle'), parent: top })).id
  leaf = (await newScope({ name: unique('Leaf'), parent: middle })).id
  const place = { enterpriseId: enterprise, scopeId: top }
  manager = await newUser({ ...place, privileges: ['USERS_MANAGE_SCOPES', 'USERS_VIEW'] })
  viewer = await newUser({ ...place, scopeId: middle, privileges: ['USERS_VIEW'] })
})

describe('all that is missing', () => {
  test('is named: a privilege of the operation, and the one for users of another enterprise', async () => {
    const { id: elsewhere } = await newEnterprise()
    const stranger = await newUser({ enterpriseId: elsewhere })
    const path = `/api/admin/enterprises/${elsewhere}/users/${stranger.id}`
    const asked = { method: 'PUT', path }
    const nobody = await newUser({ privileges: ['USERS_VIEW'] })
    expect(await explained({ ...asked, user: nobody.id })).toMatchObject({
      granted: false,
      missing: ['USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
    })
    const half = await newUser({ privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS'] })
    expect(await explained({ ...asked, user: half.id })).toMatchObject({
      granted: false,
      missing: ['USERS_MANAGE_OTHER_ENTERPRISES'],
    })
    const whole = await newUser({
      privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
    })
    expect(await explained({ ...asked, user: whole.id })).toMatchObject({ granted: true, missing: [] })
  })

  test('has several privileges of which any one would do in one text, and nothing for what is one’s own', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW'] })
    const { missing } = await explained({ user: user.id, method: 'GET', path: '/api/cloud/virtualmachines' })
    expect(missing).toEqual(['VDC_ENUMERATE|VDC_MANAGE_VAPP'])
    const poor = await newUser({ privileges: [] })
    const own = `/api/admin/enterprises/${poor.enterpriseId}/users/${poor.id}`
    expect(await explained({ user: poor.id, method: 'GET', path: own })).toMatchObject({
      granted: true,
      missing: [],
    })
  })
})

const enrolled = { two_factor_provider: 'APP_AUTHENTICATOR' } as const

describe('an explanation', () => {
  test('names privilege, role, scope and the scopes on the way', async () => {
    const path = `${SCOPES}/${leaf}`
    const document = await explained({ user: manager?.id, method: 'DELETE', path })
    expect(document).toMatchObject({
      granted: true,
      status: 204,
      privileges: ['USERS_MANAGE_SCOPES'],
      held: ['USERS_MANAGE_SCOPES'],
      visible: true,
      active: true,
      locked: false,
      owesPassword: false,
      owesTwoFactor: false,
      missing: [],
    })
    expect(titles(document, 'user')).toEqual([manager?.nick])
    expect(titles(document, 'role')).toEqual([expect.stringMatching(/^Role/)])
    expect(titles(document, 'scope')).toEqual([expect.stringMatching(/^Top/)])
    expect(titles(document, 'scopeParent')).toEqual([
      expect.stringMatching(/^Middle/),
      expect.stringMatching(/^Top/),
    ])
  })

  test('distinguishes 403 from 404', async () => {
    const ofViewer = { user: viewer?.id, method: 'DELETE' }
    expect(await explained({ ...ofViewer, path: `${SCOPES}/${leaf}` })).toMatchObject({
      granted: false,
      status: 403,
      held: [],
      visible: true,
    })
    const ofManager = { user: manager?.id, method: 'DELETE', path: `${SCOPES}/1` }
    const hidden = await explained(ofManager)
    expect(hidden).toMatchObject({ granted: false, status: 404, visible: false })
    expect(linkOf(hidden, 'scopeParent')).toBeUndefined()
  })

  test('takes an id, an address or a link of the user, and any spelling of the path', async () => {
    const href = `${ORIGIN}/api/admin/enterprises/${enterprise}/users/${manager?.id}`
    const first = await explained({ user: manager?.id, method: 'GET', path: `${SCOPES}/${leaf}` })
    for (const named of [{ user: String(manager?.id) }, { user: href }, { links: [{ rel: 'user', href }] }])
      for (const path of [
        `/admin/scopes/${leaf}`,
        `${ORIGIN}${SCOPES}/${leaf}/?limit=1`,
        `/api//admin/scopes/${leaf}`,
      ])
        expect(await explained({ ...named, method: 'GET', path })).toEqual(first)
  })

  test('is the same in XML', async () => {
    const media = 'application/vnd.service'
    const response = await call('POST', EXPLAIN, {
      headers: { 'content-type': `${media}.accessquestion+xml`, accept: `${media}.accessexplanation+xml` },
      body: `<accessquestion><user>${viewer?.id}</user><method>DELETE</method><path>${SCOPES}/${leaf}</path></accessquestion>`,
    })
    expect(await response.text()).toMatch(
      /<granted>false<\/granted><status>403<\/status><privileges>USERS_MANAGE_SCOPES<\/privileges><visible>true<\/visible>/,
    )
  })

  test('reports a password that is owed, which binds the console alone', async () => {
    const owing = await newUser({
      enterpriseId: enterprise,
      scopeId: top,
      privileges: ['USERS_MANAGE_SCOPES'],
    })
    const nickOf = async () =>
      (await expectStatus(200, who({ path: SCOPES, has: owing.nick }))).collection.map(
        ({ nick }: { nick: string }) => nick,
      )
    const question = { user: owing.id, method: 'GET', path: SCOPES }
    const before = await explained(question)
    await changeUser(owing, { first_login: 1 })
    expect(await explained(question)).toEqual({ ...before, owesPassword: true })
    expect(before).toMatchObject({ granted: true, status: 200, owesPassword: false })
    expect(await nickOf()).toEqual([owing.nick])
    const document = await call('POST', EXPLAIN, { body: question, headers: { accept: 'application/xml' } })
    expect(await document.text()).toMatch(/<granted>true<.*<status>200<.*<owesPassword>true</)
    // A program with the same credentials gets just that.
    expect((await call('GET', SCOPES, { as: owing })).status).toBe(200)
  })

  test('reports that a user must set up two factor: the request would be 401', async () => {
    const strict = await newEnterprise()
    const owing = await newUser({ enterpriseId: strict.id })
    await transaction((trx) =>
      trx.updateTable('enterprises').set({ two_factor_mandatory: 1 }).where('id', '=', strict.id).execute(),
    )
    const question = { user: owing.id, method: 'GET', path: SCOPES }
    expect(await explained(question)).toMatchObject({
      granted: false,
      status: 401,
      visible: true,
      owesTwoFactor: true,
    })
    const enable = `/admin/enterprises/${strict.id}/users/${owing.id}/action/enable2fa`
    expect(await explained({ ...question, method: 'POST', path: enable })).toMatchObject({ granted: true })
    await changeUser(owing, { locked: 1, active: 0 })
    const after = { active: false, locked: true, owesPassword: false }
    expect(await explained(question)).toMatchObject({ granted: false, status: 401, ...after })
  })

  test.each<[string, Parameters<typeof changeUser>[1], string[]]>([
    ['a user', { first_login: 0 }, ['owesTwoFactor']],
    [
      'a user who began to set up two factor',
      { ...enrolled, two_factor_began_by: 'a chain' },
      ['owesTwoFactor'],
    ],
    ['a user with two factor', enrolled, []],
    ['a user with a password of an administrator', { ...enrolled, first_login: 1 }, ['owesPassword']],
    ['a user of a provider', { ...enrolled, first_login: 1, auth_type: 'OPENID' }, []],
    ['a service account', { first_login: 1, auth_type: 'SERVICE' }, []],
  ])('reports the duty of %s where two factor is mandatory', async (_, fields, owes) => {
    const owing = await newUser()
    await transaction((trx) =>
      trx
        .updateTable('enterprises')
        .set({ two_factor_mandatory: 1 })
        .where('id', '=', owing.enterpriseId)
        .execute(),
    )
    await changeUser(owing, fields)
    const { owesPassword, owesTwoFactor } = await explained({ user: owing.id, method: 'GET', path: SCOPES })
    expect(
      Object.entries({ owesPassword, owesTwoFactor }).flatMap(([name, is]) => (is ? [name] : [])),
    ).toEqual(owes)
  })

  test('names the second privilege for users of other enterprises', async () => {
    const other = await newUser({ privileges: [] })
    const path = `/api/admin/enterprises/${other.enterpriseId}/users/${other.id}`
    const local = await newUser({ privileges: ['USERS_MANAGE_USERS'] })
    const document = await explained({ user: local.id, method: 'DELETE', path })
    expect(document).toMatchObject({
      granted: false,
      status: 403,
      privileges: ['USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
      held: ['USERS_MANAGE_USERS'],
    })
  })

  test('is about users and resources that the caller sees', async () => {
    const elsewhere = await newUser()
    const question = { user: manager?.id, method: 'GET', path: `${SCOPES}/${leaf}` }
    expect(await codesOf(explain({ ...question, user: elsewhere.id }, viewer))).toEqual(['USER-0'])
    expect(await codesOf(explain({ ...question, path: `${SCOPES}/${top}` }, viewer))).toEqual(['SCOPE-1'])
    // The scope at the top is hidden from the caller.
    const document = await explained(question, viewer)
    expect(titles(document, 'scope')).toEqual([])
    expect(titles(document, 'scopeParent')).toEqual([expect.stringMatching(/^Middle/)])
  })

  test.each([
    [{ user: 999_999_999 }, ['USER-0']],
    [{ user: 'nobody' }, ['CONSTR-PATTERN']],
    [{ user: undefined }, ['CONSTR-NOTNULL']],
    [{ method: undefined }, ['CONSTR-NOTNULL']],
    [{ method: null }, ['CONSTR-NOTNULL']],
    [{ path: undefined }, ['CONSTR-NOTNULL']],
    [{ method: 'TRACE' }, ['CONSTR-PATTERN']],
    [{ path: '/api/admin/nothing' }, ['404-NOT-FOUND']],
    [{ path: '/api/x' }, ['404-NOT-FOUND']],
    [{ method: 'DELETE', path: SCOPES }, ['404-NOT-FOUND']],
    [{ path: `${SCOPES}/999999999` }, ['SCOPE-1']],
    [{ path: `${SCOPES}/abc` }, ['SCOPE-1']],
    [{ path: `${SCOPES}/0` }, ['GEN-1']],
  ])('refuses %j', async (fields, codes) => {
    expect(await codesOf(explain({ user: manager?.id, method: 'GET', path: SCOPES, ...fields }))).toEqual(
      codes,
    )
  })

  test('without a method is refused in XML too', async () => {
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const body = `<accessquestion><user>${viewer?.id}</user><path>${SCOPES}</path></accessquestion>`
    expect(await expectStatus(400, call('POST', EXPLAIN, { headers, body }))).toContain(
      '<code>CONSTR-NOTNULL</code><message>method: must not be missing</message>',
    )
  })

  test('of an operation without credentials is granted', async () => {
    expect(await explained({ user: viewer?.id, method: 'GET', path: '/api/version' })).toMatchObject({
      granted: true,
      status: 200,
      privileges: [],
    })
  })
})

describe('the users who may', () => {
  test('is a page of users with role and scope, as JSON and XML', async () => {
    const query = { method: 'DELETE', path: `${SCOPES}/${leaf}`, has: manager?.nick ?? '' }
    const list = await expectStatus(200, who(query))
    expect(list).toMatchObject({ totalSize: 1, collection: [{ id: manager?.id, nick: manager?.nick }] })
    expect(titles(list.collection[0], 'role')).toEqual([expect.stringMatching(/^Role/)])
    expect(titles(list.collection[0], 'scope')).toEqual([expect.stringMatching(/^Top/)])
    expect(linkOf(list, 'first')?.href).toContain(`method=DELETE&path=${encodeURIComponent(query.path)}`)
    const xml = await call('GET', `${WHO}?${new URLSearchParams(query)}`, {
      headers: { accept: 'application/vnd.service.users+xml' },
    })
    expect(await xml.text()).toMatch(/^<\?xml[^>]*><users>.*<totalSize>1<\/totalSize><user>/)
  })

  test('shows the scope that a user has by default of their enterprise', async () => {
    const home = await newEnterprise(unique('Home'), top)
    const user = await newUser({ enterpriseId: home.id, privileges: ['USERS_MANAGE_SCOPES'] })
    const list = await expectStatus(200, who({ path: `${SCOPES}/${leaf}`, has: user.nick }))
    expect(titles(list.collection[0], 'scope')).toEqual([expect.stringMatching(/^Top/)])
  })

  test('pages, orders and counts', async () => {
    const path = `/api/admin/enterprises/${enterprise}/users`
    const ids = async (more: object) =>
      (await expectStatus(200, who({ path, ...more }, viewer))).collection.map(({ id }: { id: number }) => id)
    const [first, second] = [
      await ids({ limit: '1', by: 'id' }),
      await ids({ limit: '1', by: 'id', startwith: '1' }),
    ]
    expect([...first, ...second]).toEqual(await ids({ by: 'id' }))
    expect(await ids({ by: 'id' })).toEqual([manager?.id, viewer?.id])
  })

  test('lists users, and answers about resources, that the caller sees', async () => {
    expect(await codesOf(who({ path: `${SCOPES}/${top}` }, viewer))).toEqual(['SCOPE-1'])
    const all = await expectStatus(200, who({ path: SCOPES, limit: '0' }, viewer))
    expect(
      all.collection.every((user: { links: LinkDocument[] }) =>
        linkOf(user, 'enterprise')?.href.endsWith(`/${enterprise}`),
      ),
    ).toBe(true)
  })

  test.each([
    ['accesstoken', async (mover: Person) => (await newAccessToken(mover)).id],
    ['plan', appliedPlan],
  ])('leaves out who no longer sees an event (%s), as its user has moved away', async (entity, change) => {
    const reads = ['EVENTLOG_VIEW_ALL', 'USERS_VIEW'] as const
    const reader = await newUser({ enterpriseId: enterprise, scopeId: top, privileges: reads })
    const mover = await newUser({ enterpriseId: enterprise })
    const id = await change(mover)
    const { collection } = await expectStatus(200, call('GET', `/api/events?entity=${entity}&entityid=${id}`))
    const path = `/api/events/${collection[0].id}`
    const isNamed = async () => {
      const { collection: users } = await expectStatus(200, who({ path, limit: '0' }))
      return users.some((user: { id: number }) => user.id === reader.id)
    }
    expect([(await call('GET', path, { as: reader })).status, await isNamed()]).toEqual([200, true])
    await changeUser(mover, { enterprise_id: (await newEnterprise()).id })
    expect([(await call('GET', path, { as: reader })).status, await isNamed()]).toEqual([404, false])
  })

  test.each([
    [{}, 400],
    [{ path: SCOPES, method: 'TRACE' }, 400],
    [{ path: '/api/nothing' }, 404],
    [{ path: SCOPES, method: 'PUT' }, 404],
  ])('refuses %j', async (query, status) => {
    expect((await who(query)).status).toBe(status)
  })
})

test('both need USERS_VIEW', async () => {
  const person = await newUser({ privileges: ['USERS_MANAGE_USERS'] })
  expect((await who({ path: SCOPES }, person)).status).toBe(403)
  expect((await explain({ user: person.id, method: 'GET', path: SCOPES }, person)).status).toBe(403)
})

test('the console asks about operations that the API has', async () => {
  const machine = await newMachineWithIps()
  const { network, center } = machine
  const [appliance = 0, id = 0] = (machine.path.match(/\d+/g) ?? []).slice(1).map(Number)
  const things = [
    undefined,
    { kind: 'scope', id: leaf },
    { kind: 'enterprise', id: enterprise },
    { kind: 'datacenter', id: network.datacenter },
    { kind: 'natnetwork', datacenter: network.datacenter, id: network.id },
    { kind: 'virtualdatacenter', id: center },
    { kind: 'virtualmachine', center, appliance, id },
  ] as const
  for (const { call } of things.flatMap(operationsOn))
    expect(await explained({ user: manager?.id, ...call })).toMatchObject({ active: true })
})
