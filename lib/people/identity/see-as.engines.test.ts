import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { newTemplateOf } from '#lib/tools/testing/inventory'
import { newDatacenter } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { newScope, ofDatacenter, ofEnterprise, putScope } from '#lib/tools/testing/scopes'
import { isLong, swept } from '#lib/tools/testing/search'
import { changeUser, cookiesOf, pairOf, withSettings } from '#lib/tools/testing/session'

/* "See the console as another user": the session of an administrator shows what another user sees. */

type Person = Awaited<ReturnType<typeof newUser>>
type Send = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Response>

async function sessionOf({ nick, password }: User): Promise<Send> {
  const signedIn = await call('POST', '/api/session', { as: null, body: { nick, password } })
  const cookie = pairOf(cookiesOf(signedIn).console)
  return (method, path, body, headers) =>
    call(method, path, { as: null, body, headers: { cookie, ...headers } })
}

const pathOf = ({ id, enterpriseId }: Person) => `/api/admin/enterprises/${enterpriseId}/users/${id}`
const seeAs = (by: Send, seen: Person) => by('POST', `${pathOf(seen)}/action/seeas`)
const end = (by: Send) => by('DELETE', '/api/session/seeas')
const idIn = async (by: Send): Promise<number> => (await expectStatus(200, by('GET', '/api/session'))).id

/** A session of the viewer that shows what the user sees. */
async function viewOf(viewer: Person, seen: Person): Promise<Send> {
  const by = await sessionOf(viewer)
  await expectStatus(204, seeAs(by, seen))
  return by
}

const held: Privilege[] = [
  'ENTERPRISE_ENUMERATE',
  'PHYS_DC_ENUMERATE',
  'PHYS_DC_RETRIEVE_DETAILS',
  'MANAGE_DEVICES',
  'VDC_ENUMERATE',
  'VDC_MANAGE',
  'APPLIB_VIEW',
  'USERS_VIEW',
  'USERS_MANAGE_USERS',
  'USERS_MANAGE_APPLICATIONS',
  'USERS_VIEW_PRIVILEGES',
  'EVENTLOG_VIEW_ENTERPRISE',
]

let admin: Person
let seen: Person
let own: Send
/** The ids of resources that the user sees, by the names in paths. */
let ids: Record<string, number>

beforeAll(async () => {
  const machine = await newMachineWithIps()
  const { network, enterprise, center, natIps, privateIps, path } = machine
  const { datacenter } = network
  const rule = await expectStatus(
    201,
    call('POST', `${path}/natrules`, { body: ruleBody(machine, dnat(80)) }),
  )
  const template = await newTemplateOf(enterprise, datacenter)
  // What only the administrator sees.
  await newMachineWithIps()
  const scope = await newScope({ enterprises: [enterprise], datacenters: [datacenter] })
  await newScope({ parent: scope.id, datacenters: [datacenter] })
  admin = await newUser()
  const place = { enterpriseId: enterprise, scopeId: scope.id }
  seen = await newUser({ ...place, privileges: held })
  const colleague = await newUser({ ...place, privileges: ['VDC_ENUMERATE'] })
  own = await sessionOf(seen)
  const { collection } = await expectStatus(200, own('GET', '/api/events?by=id&asc=false&limit=1'))
  const user = await expectStatus(200, own('GET', pathOf(colleague)))
  const document = await expectStatus(
    200,
    call('GET', `/api/admin/datacenters/${datacenter}/natnetworks/${network.id}`),
  )
  const [, virtualappliance, virtualmachine] =
    /virtualappliances\/(\d+)\/virtualmachines\/(\d+)/.exec(path) ?? []
  ids = {
    ...{ datacenter, enterprise, natnetwork: network.id, natip: natIps[0], natrule: rule.id },
    ...{ virtualdatacenter: center, privateip: privateIps[0], virtualmachinetemplate: template.id },
    ...{ virtualappliance: Number(virtualappliance), virtualmachine: Number(virtualmachine) },
    ...{ scope: scope.id, user: colleague.id, event: collection[0].id, privilege: 1, devicetype: 1 },
    role: idOfLink(linkOf(user, 'role')) ?? 0,
    device: idOfLink(linkOf(document, 'device')) ?? 0,
  }
})

afterEach(() => {
  vi.useRealTimers()
})

type Operation = { method: string; path: string }

const filled = (path: string, more: Record<string, number> = {}): string =>
  path.replaceAll(/\[(\w+)\]/g, (_, name: string) => String({ ...ids, ...more }[name] ?? 999999999))

async function operations(kind: 'reads' | 'writes'): Promise<(Operation & { spec: object })[]> {
  return (await loadRoutes()).flatMap(({ path, handlers }) =>
    Object.entries(handlers).flatMap(([method, { spec }]) =>
      spec.kind === kind && !path.includes('[...') ? [{ method, path, spec }] : [],
    ),
  )
}

/** A stream has no end. */
async function answerOf(response: Response): Promise<unknown> {
  const { status, headers, body } = response
  const type = headers.get('content-type')
  const isStream = type === 'text/event-stream'
  if (isStream) await body?.cancel()
  return { status, type, etag: headers.get('etag'), text: isStream ? '' : await response.text() }
}

const someQuery = '?of=role&ids=1&ip=192.0.2.1&has='

describe('what it shows', () => {
  /** They are about the account or the session of the user. */
  const account = [
    'GET /api/config/signin/trial',
    'GET /api/login',
    'GET /api/session/authorizations',
    'GET /api/session/consent',
    'GET /api/session/passkeys',
    'GET /api/session/preferences',
    'GET /api/session/sessions',
    'GET /api/session/tokens',
  ]
  const ofUser = '/api/admin/enterprises/[enterprise]/users/[user]'
  const accountOfUser = [
    `GET ${ofUser}/applications`,
    `GET ${ofUser}/applications/[application]`,
    `GET ${ofUser}/applications/[application]/signaturefailures`,
    `GET ${ofUser}/tokens`,
    `GET ${ofUser}/tokens/[token]`,
  ]

  test('is what the user sees, by every operation that changes nothing, but for their account', async () => {
    // Both answers are of one moment: some have it in their links.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    const by = await viewOf(admin, seen)
    const refused = new Set<string>()
    let shown = 0
    const all = await operations('reads')
    const isAccount = ({ method, path }: Operation) =>
      [...account, ...accountOfUser].includes(`${method} ${path}`)
    // Another fifth of the others on each day.
    const walked = [...all.filter(isAccount), ...swept(all.filter((operation) => !isAccount(operation)))]
    for (const { method, path } of walked)
      for (const user of path.includes('[user]') ? [ids.user ?? 0, seen.id] : [0]) {
        const address = filled(path, { user })
        const query = method === 'GET' ? someQuery : ''
        const body = method === 'POST' ? {} : undefined
        const answer = await by(method, address + query, body)
        if (answer.status === 403 && (await answer.clone().text()).includes('SEE-AS-1')) {
          if (path.includes('[user]')) expect(user).toBe(seen.id)
          refused.add(`${method} ${path}`)
          await answer.body?.cancel()
          continue
        }
        const expected = await answerOf(await own(method, address + query, body))
        expect([address, await answerOf(answer)]).toEqual([address, expected])
        if (answer.ok) shown += 1
      }
    expect([...refused].sort()).toEqual([...account, ...accountOfUser].sort())
    expect(shown).toBeGreaterThan(isLong ? 75 : 10)
  })

  test('each read of an account, or below a user, says so', async () => {
    const silent = (await operations('reads')).filter(
      ({ path, spec }) =>
        (path.startsWith('/api/session/') || /\[user\]\/./.test(path)) &&
        (spec as { who: { ownAccount?: string } }).who.ownAccount === undefined,
    )
    expect(silent.map(({ path }) => path).sort()).toEqual([
      `${ofUser}/action/pendingtasks`,
      `${ofUser}/action/virtualmachines`,
      '/api/session/search',
    ])
  })

  test('is said in the session, without account settings of the user', async () => {
    await changeUser(seen, { two_factor_provider: 'APP_AUTHENTICATOR', two_factor_secret: 'x' })
    try {
      const by = await viewOf(admin, seen)
      const session = await expectStatus(200, by('GET', '/api/session'))
      expect(session).toMatchObject({
        ...{ id: seen.id, nick: seen.nick, privileges: held.toSorted() },
        ...{ scratchCodesLeft: 0, hasPassword: false, mustChangePassword: false },
        viewer: { id: admin.id, nick: admin.nick, secondsLeft: 3600 },
      })
      expect(session).not.toHaveProperty('twoFactorProvider')
    } finally {
      await changeUser(seen, { two_factor_provider: null, two_factor_secret: null })
    }
  })

  test('is also what a stream shows, until the view ends', async () => {
    const by = await viewOf(admin, seen)
    const stream = await by('GET', '/api/events/stream')
    const reader = (stream.body as ReadableStream<BufferSource>)
      .pipeThrough(new TextDecoderStream())
      .getReader()
    await reader.read()
    // The user sees neither datacenter.
    await newDatacenter(unique('Unseen'))
    const other = await newUser({ enterpriseId: seen.enterpriseId })
    await expectStatus(
      201,
      call('POST', `${pathOf(other)}/applications`, { as: other, body: { name: 'Seen' } }),
    )
    const { value } = await reader.read()
    expect(value).toContain('"Seen"')
    expect(value).not.toContain('Unseen')
    await expectStatus(204, end(by))
    await newDatacenter(unique('Unseen'))
    expect(await reader.read()).toEqual({ done: true, value: undefined })
  })
})

test('nothing can be changed by it, whatever the user may do, but the session itself', async () => {
  const by = await viewOf(admin, seen)
  const onSession = ['DELETE /api/session', 'DELETE /api/session/seeas']
  for (const { method, path } of swept(await operations('writes'))) {
    if (onSession.includes(`${method} ${path}`)) continue
    const answer = await by(method, filled(path), method === 'DELETE' ? undefined : {})
    expect([path, answer.status, await codesOf(answer)]).toEqual([path, 403, ['SEE-AS-1']])
  }
  expect(await idIn(by)).toBe(seen.id)
})

test('signing out ends the session of the viewer, and is an event of theirs', async () => {
  const by = await viewOf(admin, seen)
  await expectStatus(204, by('DELETE', '/api/session'))
  expect((await by('GET', '/api/session')).status).toBe(204)
  expect(await idIn(own)).toBe(seen.id)
  const { collection } = await expectStatus(
    200,
    call('GET', `/api/events?entity=user&entityid=${admin.id}&action=sign-out`),
  )
  expect(collection).toHaveLength(1)
})

test('is an event about the user, which administrators of their enterprise find', async () => {
  const viewer = await newUser()
  const user = await newUser({ privileges: [] })
  const { enterpriseId } = user
  const colleague = await newUser({ enterpriseId, privileges: ['EVENTLOG_VIEW_ENTERPRISE'] })
  const by = await viewOf(viewer, user)
  await expectStatus(204, end(by))
  const { collection } = await expectStatus(
    200,
    call('GET', `/api/events?entity=user&entityid=${user.id}&action=see-as`, { as: colleague }),
  )
  expect(collection).toEqual([
    expect.objectContaining({ action: 'see-as', entityId: user.id, user: viewer.nick }),
  ])
  expect(linkOf(collection[0], 'undo')).toBeUndefined()
})

describe('it is refused', () => {
  const refusal = async (viewer: Person, user: Person) => {
    const answer = await seeAs(await sessionOf(viewer), user)
    const isCoded = answer.headers.get('content-type')?.includes('json')
    return [answer.status, isCoded ? await codesOf(answer) : []]
  }

  test('to callers who may not ask about users, and to programs', async () => {
    const viewer = await newUser({ enterpriseId: seen.enterpriseId, privileges: ['USERS_MANAGE_USERS'] })
    const user = await newUser({ enterpriseId: seen.enterpriseId, privileges: [] })
    expect(await refusal(viewer, user)).toEqual([403, []])
    await expectStatus(403, call('POST', `${pathOf(user)}/action/seeas`, { as: admin }))
  })

  test('about users who are not seen, and about oneself', async () => {
    const viewer = await newUser({
      ...{ enterpriseId: seen.enterpriseId, scopeId: ids.scope ?? 0 },
      privileges: ['USERS_VIEW'],
    })
    const hidden = await newUser({ privileges: [] })
    expect(await refusal(viewer, hidden)).toEqual([404, ['EN-0']])
    const by = await sessionOf(viewer)
    expect(
      await codesOf(await by('POST', `/api/admin/enterprises/_/users/${hidden.id}/action/seeas`)),
    ).toEqual(['USER-0'])
    expect(await refusal(viewer, viewer)).toEqual([403, ['GEN-15']])
  })

  test('about users who may do more or see more', async () => {
    const { enterpriseId } = seen
    const scopeId = ids.scope ?? 0
    const viewer = await newUser({ enterpriseId, scopeId, privileges: ['USERS_VIEW', 'VDC_ENUMERATE'] })
    const more = await newUser({ enterpriseId, scopeId, privileges: ['PHYS_DC_ENUMERATE'] })
    const wider = await newUser({ enterpriseId, privileges: [] })
    const less = await newUser({ enterpriseId, scopeId, privileges: ['VDC_ENUMERATE'] })
    expect(await refusal(viewer, more)).toEqual([403, ['GEN-15']])
    expect(await refusal(viewer, wider)).toEqual([403, ['GEN-15']])
    expect(await refusal(viewer, less)).toEqual([204, []])
  })

  test('about users elsewhere whose own enterprise opens to them what is closed to the viewer', async () => {
    const viewerWith = (...privileges: Privilege[]) =>
      newUser({ privileges: ['USERS_VIEW', 'EVENTLOG_VIEW_ENTERPRISE', 'USERS_MANAGE_USERS', ...privileges] })
    const plain = await newUser({ privileges: [] })
    const reader = await newUser({ privileges: ['EVENTLOG_VIEW_ENTERPRISE'] })
    const manager = await newUser({ privileges: ['USERS_MANAGE_USERS'] })
    const enumerates = await viewerWith('ENTERPRISE_ENUMERATE')
    expect(await refusal(await viewerWith(), plain)).toEqual([403, ['GEN-15']])
    expect(await refusal(enumerates, plain)).toEqual([204, []])
    expect(await refusal(enumerates, reader)).toEqual([403, ['GEN-15']])
    expect(await refusal(enumerates, manager)).toEqual([403, ['GEN-15']])
    const all = ['ENTERPRISE_ENUMERATE', 'EVENTLOG_VIEW_ALL', 'USERS_MANAGE_OTHER_ENTERPRISES'] as const
    expect(await refusal(await viewerWith(...all), reader)).toEqual([204, []])
    expect(await refusal(await viewerWith(...all), manager)).toEqual([204, []])
  })

  test('about users who are disabled or locked', async () => {
    const user = await newUser({ privileges: [] })
    await changeUser(user, { active: 0 })
    expect(await refusal(admin, user)).toEqual([409, ['SEE-AS-3']])
    await changeUser(user, { active: 1, locked: 1 })
    expect(await refusal(admin, user)).toEqual([409, ['SEE-AS-3']])
  })
})

describe('it ends', () => {
  /** The console names the user whose view it shows: it never gets the view of another. */
  const expectEnded = async (by: Send, viewer: Person, user: Person) => {
    expect(await idIn(by)).toBe(viewer.id)
    const named = await by('GET', '/api/session/search?has=a', undefined, { 'x-see-as': String(user.id) })
    expect([named.status, await codesOf(named)]).toEqual([403, ['SEE-AS-2']])
  }
  // Who lacks USERS_VIEW can be seen as, too.
  const privileges = held.filter((privilege) => privilege !== 'USERS_VIEW')
  const people = async () => ({ viewer: await newUser(), user: await newUser({ privileges }) })

  test('when the viewer ends it', async () => {
    const { viewer, user } = await people()
    const by = await viewOf(viewer, user)
    await expectStatus(
      200,
      by('GET', '/api/session/search?has=a', undefined, { 'x-see-as': String(user.id) }),
    )
    await expectStatus(204, end(by))
    await expectEnded(by, viewer, user)
  })

  test('after an hour', async () => {
    const { viewer, user } = await people()
    await withSettings({ SESSION_IDLE_SECONDS: 7200 }, async () => {
      const by = await viewOf(viewer, user)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59 * 60_000 })
      expect(await idIn(by)).toBe(user.id)
      vi.setSystemTime(Date.now() + 2 * 60_000)
      await expectEnded(by, viewer, user)
    })
  })

  test.each<[string, (people: { viewer: Person; user: Person }) => Promise<unknown>]>([
    ['the viewer may no longer ask about users', ({ viewer }) => without(viewer, 'USERS_VIEW')],
    ['the viewer loses a privilege that the user has', ({ viewer }) => without(viewer, 'MANAGE_DEVICES')],
    ['the viewer’s scope becomes narrower', ({ viewer }) => changeUser(viewer, { scope_id: ids.scope ?? 0 })],
    ['the user is disabled', ({ user }) => changeUser(user, { active: 0 })],
    ['the user moves out of sight', moveAway],
  ])('as soon as %s', async (_, change) => {
    const pair = await people()
    const by = await viewOf(pair.viewer, pair.user)
    await change(pair)
    await expectEnded(by, pair.viewer, pair.user)
  })
})

describe('a view that has ended does not come back', () => {
  const undone = async (entity: string, id: number) => {
    const list = `/api/events?entity=${entity}&entityid=${id}&action=delete`
    const { collection } = await expectStatus(200, call('GET', list))
    return call('POST', `/api/events/${collection[0].id}/action/undo`)
  }
  const put = async (user: Person, change: object) =>
    expectStatus(
      200,
      call('PUT', pathOf(user), {
        body: { ...(await expectStatus(200, call('GET', pathOf(user)))), ...change },
      }),
    )
  const again = async (role: number, privilege: Privilege) =>
    transaction((trx) => trx.insertInto('role_privileges').values({ role_id: role, privilege }).execute())

  test('with a user who was deleted, once they are restored', async () => {
    const user = await newUser({ privileges: [] })
    const by = await viewOf(admin, user)
    await expectStatus(204, call('DELETE', pathOf(user)))
    await expectStatus(200, undone('user', user.id))
    expect(await idIn(by)).toBe(admin.id)
    // Without a request in between.
    await expectStatus(204, seeAs(by, user))
    expect(await idIn(by)).toBe(user.id)
  })

  test('with a user who was disabled, once they are enabled', async () => {
    const user = await newUser({ privileges: [] })
    const by = await viewOf(admin, user)
    await put(user, { active: false })
    await put(user, { active: true })
    expect(await idIn(by)).toBe(admin.id)
  })

  test('with a privilege that the viewer had lost, also if only a stream was open', async () => {
    const viewer = await newUser()
    const user = await newUser({ privileges: ['EVENTLOG_VIEW_ENTERPRISE'] })
    const by = await viewOf(viewer, user)
    const stream = await by('GET', '/api/events/stream')
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const role = idOfLink(linkOf(await expectStatus(200, call('GET', pathOf(viewer))), 'role')) ?? 0
    await without(viewer, 'USERS_VIEW')
    // Wakes the stream.
    await newDatacenter(unique('Unseen'))
    while (!(await reader.read()).done);
    await again(role, 'USERS_VIEW')
    expect(await idIn(by)).toBe(viewer.id)
  })

  test('with a privilege that the viewer had lost', async () => {
    const viewer = await newUser()
    const user = await newUser({ privileges: [] })
    const by = await viewOf(viewer, user)
    const role = idOfLink(linkOf(await expectStatus(200, call('GET', pathOf(viewer))), 'role')) ?? 0
    await without(viewer, 'USERS_VIEW')
    expect(await idIn(by)).toBe(viewer.id)
    await again(role, 'USERS_VIEW')
    expect(await idIn(by)).toBe(viewer.id)
  })
})

describe('in the past', () => {
  test('it shows what the user sees of it, not what their scope had then', async () => {
    const { enterprise = 0, datacenter = 0 } = ids
    const { id: hidden } = await newDatacenter(unique('Hidden'))
    const scope = await newScope({ enterprises: [enterprise], datacenters: [datacenter, hidden] })
    const user = await newUser({
      ...{ enterpriseId: enterprise, scopeId: scope.id },
      privileges: ['PHYS_DC_ENUMERATE', 'USERS_VIEW'],
    })
    const then = new Date().toISOString()
    await expectStatus(
      200,
      putScope(scope, { scopeEntities: [ofEnterprise(enterprise), ofDatacenter(datacenter)] }),
    )
    // The viewer never saw the hidden one.
    const viewer = await newUser({
      ...{ enterpriseId: enterprise, scopeId: scope.id },
      privileges: ['PHYS_DC_ENUMERATE', 'USERS_VIEW'],
    })
    const by = await viewOf(viewer, user)
    const path = `/api/admin/datacenters?limit=0&asof=${encodeURIComponent(then)}`
    const { collection } = await expectStatus(200, by('GET', path))
    expect(collection.map(({ id }: { id: number }) => id)).toEqual([datacenter])
    const one = await by('GET', `/api/admin/datacenters/${hidden}?asof=${encodeURIComponent(then)}`)
    expect(one.status).toBe(404)
    const tokens = await by('GET', `${pathOf(user)}/tokens?asof=${encodeURIComponent(then)}`)
    expect(await codesOf(tokens)).toEqual(['SEE-AS-1'])
  })
})

describe('what it is not', () => {
  test('a way to another view, nor to the account of the viewer', async () => {
    const other = await newUser({ privileges: [] })
    const by = await viewOf(admin, seen)
    for (const user of [other, admin, seen])
      expect(await codesOf(await seeAs(by, user))).toEqual(['SEE-AS-1'])
    expect(await idIn(by)).toBe(seen.id)
    for (const path of ['/api/session/tokens', '/api/session/sessions', '/api/session/passkeys'])
      expect([path, await codesOf(await by('GET', path))]).toEqual([path, ['SEE-AS-1']])
  })

  test('a change by a job, a plan, a dry run or SCIM', async () => {
    const by = await viewOf(admin, seen)
    const attempts: [string, string, object?, Record<string, string>?][] = [
      ['POST', '/api/plans', { users: [] }],
      ['POST', '/api/plans', { users: [] }, { prefer: 'respond-async' }],
      ['POST', '/api/plans', { users: [] }, { accept: 'text/event-stream' }],
      ['PUT', `${pathOf(seen)}?dryrun=true`, {}],
      ['POST', '/scim/v2/Users', { userName: 'x' }, { 'content-type': 'application/scim+json' }],
      ['DELETE', `/scim/v2/Users/${ids.user}`],
    ]
    for (const [method, path, body, headers] of attempts) {
      const answer = await by(method, path, body, headers)
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        403,
        expect.stringContaining('SEE-AS-1'),
      ])
    }
  })

  test('open to other sites, which can neither begin nor end it', async () => {
    const by = await sessionOf(admin)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    const begun = await by('POST', `${pathOf(seen)}/action/seeas`, undefined, foreign)
    expect(begun.status).toBe(403)
    expect(await idIn(by)).toBe(admin.id)
    await expectStatus(204, seeAs(by, seen))
    expect((await by('DELETE', '/api/session/seeas', undefined, foreign)).status).toBe(403)
    expect(await idIn(by)).toBe(seen.id)
  })
})

const without = ({ nick }: Person, privilege: Privilege) =>
  transaction((trx) =>
    trx
      .deleteFrom('role_privileges')
      .where('privilege', '=', privilege)
      .where('role_id', 'in', (users) => users.selectFrom('users').where('nick', '=', nick).select('role_id'))
      .execute(),
  )

/** Both scopes have the same entities, and the user's new enterprise is in neither. */
async function moveAway({ viewer, user }: { viewer: Person; user: Person }): Promise<void> {
  const scope = await newScope({ enterprises: [viewer.enterpriseId] })
  const { id } = await newEnterprise()
  await changeUser(viewer, { scope_id: scope.id })
  await changeUser(user, { scope_id: scope.id, enterprise_id: id })
}

test('questions of a view count for the viewer, and their keys are not kept for the user', async () => {
  const by = await viewOf(admin, seen)
  const body = { method: 'GET', path: '/api/admin/scopes', user: seen.id }
  const key = { 'idempotency-key': unique('key') }
  await expectStatus(200, by('POST', '/api/access/action/explain', body, key))
  // The user’s own request with this key is another one.
  const answer = await own('POST', '/api/access/action/explain', { ...body, method: 'POST' }, key)
  await expectStatus(200, answer)
})
