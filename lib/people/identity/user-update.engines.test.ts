import { describe, expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { admin, call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import {
  createdUser,
  enterpriseLink,
  eventsOf,
  newRole,
  PASSWORD,
  putUser,
  readUser,
  relinked,
  roleLink,
  scopeLink,
  usersOf,
} from '#lib/tools/testing/identity'
import { newDatacenter, newMachine } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'
import { tokenOf } from '#lib/tools/testing/session'

const place = async () => ({ enterprise: (await newEnterprise()).id, role: await newRole() })

const someone = async (fields: object = {}) => {
  const { enterprise, role } = await place()
  return { enterprise, role, user: await createdUser(enterprise, { role, ...fields }) }
}

const remove = (id: number, as = admin) => call('DELETE', `${usersOf('_')}/${id}`, { as })

describe('changing a user', () => {
  test('replaces the document: missing fields get their defaults (docs/api/conventions.md, "Values")', async () => {
    const { user } = await someone({
      surname: 'S',
      description: 'D',
      email: 'a@example.com',
      locale: 'es_ES',
      allowedCIDRs: ['10.0.0.0/8'],
    })
    const { nick, links } = user
    const changed = await expectStatus(
      200,
      call('PUT', `${usersOf('_')}/${user.id}`, { body: { nick, name: 'New', links } }),
    )
    expect(changed).toEqual({
      ...user,
      name: 'New',
      surname: '',
      description: '',
      email: '',
      locale: 'en_US',
      allowedCIDRs: [],
    })
    const { changes } = (await eventsOf('user', user.id)).at(-1)
    expect(changes).toMatchObject({
      name: { before: 'Test', after: 'New' },
      allowedCIDRs: { before: '10.0.0.0/8' },
    })
  })

  test('updates the search index', async () => {
    const { user, enterprise } = await someone()
    const surname = unique('Ångström')
    await expectStatus(200, putUser(user, { surname, nick: unique('renamed') }))
    const query = `has=${encodeURIComponent(surname.toLowerCase())}`
    expect(await expectStatus(200, call('GET', `${usersOf(enterprise)}?${query}`))).toMatchObject({
      totalSize: 1,
    })
  })

  test('with an unchanged document changes nothing and leaves no event', async () => {
    const { user } = await someone()
    expect(await expectStatus(200, putUser(user))).toEqual(user)
    expect(await eventsOf('user', user.id)).toHaveLength(1)
  })

  test.each(['xml', 'json'])('with a document that was read in %s changes nothing', async (syntax) => {
    const about = {
      name: ' A & <B> "c" \u{1F30D}',
      description: 'a\n\tb ',
      allowedCIDRs: ['::/0', '10.0.0.0/8'],
    }
    const { user } = await someone({ ...about, email: 'x@example.com' })
    const path = `${usersOf('_')}/${user.id}`
    const type = `application/vnd.service.user+${syntax}`
    const headers = { accept: type, 'content-type': type }
    const before = await expectText(call('GET', path, { headers }))
    expect(await expectText(call('PUT', path, { body: before, headers }))).toBe(before)
    expect(await readUser(user.id)).toEqual(user)
  })

  test('can move the user to another enterprise, with USERS_MANAGE_OTHER_ENTERPRISES', async () => {
    const { user, enterprise } = await someone()
    const { id, name } = await newEnterprise()
    const links = relinked(user, 'enterprise', enterpriseLink(id))
    const one = await newUser({ enterpriseId: enterprise, privileges: ['USERS_MANAGE_USERS'] })
    await expectStatus(403, putUser(user, { links }, one))
    const moved = await expectStatus(200, putUser(user, { links }))
    expect(moved.links).toContainEqual(expect.objectContaining({ rel: 'enterprise', title: name }))
    expect(moved.links[0].href).toMatch(new RegExp(`/enterprises/${id}/users/${user.id}$`))
    await expectStatus(200, call('GET', moved.links[0].href))
    const hidden = relinked(user, 'enterprise', enterpriseLink(999999999))
    expect(await refusal(putUser(user, { links: hidden }))).toEqual([404, 'EN-0'])
  })

  test('USER-0, EN-0, USER-1, USER-4, ROLE-0, SCOPE-1, GEN-16, 412: is refused', async () => {
    const [{ user, enterprise }, other] = [await someone(), await someone()]
    expect(await refusal(putUser({ id: 999999999 }, {}))).toEqual([404, 'USER-0'])
    const at = (of: number) => call('PUT', `${usersOf(of)}/${user.id}`, { body: user })
    expect(await refusal(at(other.enterprise))).toEqual([404, 'USER-0'])
    expect(await refusal(at(999999999))).toEqual([404, 'EN-0'])
    expect((await at(enterprise)).status).toBe(200)
    expect(await refusal(putUser(user, { links: [] }))).toEqual([400, 'USER-1'])
    expect(await refusal(putUser(user, { nick: other.user.nick }))).toEqual([409, 'USER-4'])
    const links = [roleLink(999999999), scopeLink(999999999)]
    expect(await refusal(putUser(user, { links, email: '?' }))).toEqual([
      404,
      'CONSTR-EMAIL',
      'ROLE-0',
      'SCOPE-1',
    ])
    const path = `${usersOf('_')}/${user.id}`
    expect(await refusal(call('PUT', path, { body: other.user }))).toEqual([400, 'GEN-16'])
    const headers = { 'if-match': '"stale"' }
    expect(await refusal(call('PUT', path, { body: user, headers }))).toEqual([
      412,
      '412-PRECONDITION-FAILED',
    ])
  })
})

const expectText = async (answer: Promise<Response>): Promise<string> => {
  const response = await answer
  expect(response.status).toBe(200)
  return response.text()
}

describe('disabling and locking', () => {
  test.each([{ active: false }, { locked: true }])(
    '%o ends all tokens, which stay invalid when it is undone',
    async (off) => {
      const { user } = await someone()
      const as = { nick: user.nick, password: PASSWORD }
      const authorization = `Token ${tokenOf(await call('GET', '/api/login', { as }))}`
      const withToken = () => call('GET', '/api/login', { as: null, headers: { authorization } })
      expect((await withToken()).status).toBe(200)
      await expectStatus(200, putUser(user, off))
      expect((await withToken()).status).toBe(401)
      expect((await call('GET', '/api/login', { as })).status).toBe(401)
      await expectStatus(200, putUser(user))
      expect((await withToken()).status).toBe(401)
      expect((await call('GET', '/api/login', { as })).status).toBe(200)
    },
  )

  test('a change of another field ends no token', async () => {
    const { user } = await someone()
    const as = { nick: user.nick, password: PASSWORD }
    const authorization = `Token ${tokenOf(await call('GET', '/api/login', { as }))}`
    await expectStatus(200, putUser(user, { name: 'Other' }))
    expect((await call('GET', '/api/login', { as: null, headers: { authorization } })).status).toBe(200)
  })
})

describe('deleting a user', () => {
  test('deletes the scratch codes, and keeps the machines without an owner', async () => {
    const { user, enterprise } = await someone()
    const machine = await newMachine({
      datacenter: (await newDatacenter()).id,
      enterprise,
      privateIps: [],
    })
    await transaction(async (trx) => {
      await trx
        .updateTable('virtual_machines')
        .set({ user_id: user.id })
        .where('id', '=', machine.id)
        .execute()
      await trx.insertInto('scratch_codes').values({ user_id: user.id, code_hash: 'x' }).execute()
    })
    expect((await remove(user.id)).status).toBe(204)
    expect(await refusal(remove(user.id))).toEqual([404, 'USER-0'])
    const row = await database()
      .read.selectFrom('virtual_machines')
      .where('id', '=', machine.id)
      .select('user_id')
      .executeTakeFirst()
    expect(row).toEqual({ user_id: null })
    const as = { nick: user.nick, password: PASSWORD }
    expect((await call('GET', '/api/login', { as })).status).toBe(401)
    expect((await eventsOf('user', user.id)).at(-1)).toMatchObject({
      action: 'delete',
      entityName: user.nick,
    })
  })

  test('GEN-15: is refused to the user themselves', async () => {
    const as = await newUser()
    expect(await refusal(remove(as.id, as))).toEqual([403, 'GEN-15'])
  })

  test('of another enterprise requires USERS_MANAGE_USERS and USERS_MANAGE_OTHER_ENTERPRISES', async () => {
    const { user, enterprise } = await someone()
    const one = await newUser({ privileges: ['USERS_MANAGE_USERS'] })
    await expectStatus(403, remove(user.id, one))
    await expectStatus(403, call('DELETE', `${usersOf(enterprise)}/${user.id}`, { as: one }))
    const both = await newUser({ privileges: ['USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'] })
    expect((await remove(user.id, both)).status).toBe(204)
  })
})

test('SCOPE-16: the scope of a user must contain their enterprise, also after a move', async () => {
  const { user, enterprise } = await someone()
  const without = await newScope()
  const links = [...user.links, scopeLink(without.id)]
  expect(await refusal(putUser(user, { links }))).toEqual([409, 'SCOPE-16'])
  const within = await newScope({ enterprises: [enterprise] })
  const placed = await expectStatus(200, putUser(user, { links: [...user.links, scopeLink(within.id)] }))
  const moved = relinked(placed, 'enterprise', enterpriseLink((await newEnterprise()).id))
  expect(await refusal(putUser(placed, { links: moved }))).toEqual([409, 'SCOPE-16'])
  const bare = await expectStatus(200, putUser(placed, { links: relinked(placed, 'scope') }))
  expect(bare.links.map(({ rel }: { rel: string }) => rel)).not.toContain('scope')
})
