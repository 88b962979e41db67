import { describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import {
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import {
  createdUser,
  enterpriseLink,
  eventsOf,
  newRole,
  ROLES,
  relinked,
  scopeLink,
} from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const grant = (name: Privilege, number: number | '' = '') => ({
  rel: `privilege${number}`,
  href: `${ORIGIN}/api/config/privileges/${allPrivileges.indexOf(name) + 1}`,
})

const create = (body: object, as?: User) => call('POST', ROLES, { body, ...(as && { as }) })
const created = (body: object, as?: User) => expectStatus(201, create(body, as))

const put = (role: { id: number }, change: object, as?: User) =>
  call('PUT', `${ROLES}/${role.id}`, { body: { ...role, ...change }, ...(as && { as }) })

const remove = (id: number, as?: User) => call('DELETE', `${ROLES}/${id}`, { ...(as && { as }) })

const privilegesOf = async (id: number): Promise<string[]> => {
  const { collection } = await expectStatus(200, call('GET', `${ROLES}/${id}/action/privileges?limit=0`))
  return collection.map(({ name }: { name: string }) => name)
}

const relsOf = ({ links }: { links: { rel: string }[] }) => links.map(({ rel }) => rel)

const cloudAdmin = async () =>
  (await expectStatus(200, call('GET', `${ROLES}?has=cloud_admin`))).collection[0] as { id: number }

describe('creating a role', () => {
  test('stores its privileges, its enterprise and its scope', async () => {
    const [enterprise, scope, name] = [await newEnterprise(), await newScope(), unique('Role')]
    const links = [
      grant('USERS_VIEW', 1),
      grant('VDC_ENUMERATE'),
      enterpriseLink(enterprise.id),
      scopeLink(scope.id),
      { rel: 'privileges', href: 'anything' },
    ]
    const response = await create({ name, blocked: true, links })
    const made = await expectStatus(201, response)
    expect(response.headers.get('location')).toBe(made.links[0].href)
    expect(made).toMatchObject({ name, blocked: false })
    expect(relsOf(made)).toEqual(['edit', 'privileges', 'enterprise', 'scope'])
    expect(await privilegesOf(made.id)).toEqual(['VDC_ENUMERATE', 'USERS_VIEW'])
    const [event] = await eventsOf('role', made.id)
    expect(event.changes.privileges).toEqual({ after: 'VDC_ENUMERATE, USERS_VIEW' })
  })

  test('works in XML as in JSON', async () => {
    const name = unique('Role')
    const { rel, href } = grant('USERS_VIEW', 12)
    const body = `<role><link rel="${rel}" href="${href}"/><name>${name}</name></role>`
    const headers = { 'content-type': 'application/vnd.service.role+xml', accept: 'text/xml' }
    const xml = await expectStatus(201, call('POST', ROLES, { body, headers }))
    const id = Number(/<id>(\d+)<\/id>/.exec(xml)?.[1])
    expect(await privilegesOf(id)).toEqual(['USERS_VIEW'])
  })

  test('ROLE-7: is refused for a taken name', async () => {
    const { name } = await created({ name: unique('Role') })
    expect(await refusal(create({ name }))).toEqual([409, 'ROLE-7'])
  })

  test('PRIVILEGE-0, EN-0, SCOPE-1, GEN-6: reports all wrong links at once', async () => {
    const nothing = { rel: 'privilege', href: '/api/config/privileges/999' }
    const links = [nothing, enterpriseLink(999999999), scopeLink(999999999)]
    expect(await refusal(create({ name: 'x', links }))).toEqual([404, 'EN-0', 'SCOPE-1', 'PRIVILEGE-0'])
    expect(await refusal(create({ links }))).toEqual([
      404,
      'CONSTR-NOTNULL',
      'EN-0',
      'SCOPE-1',
      'PRIVILEGE-0',
    ])
    const wrong = { rel: 'privilege7', href: '/api/admin/scopes/1' }
    expect(await refusal(create({ name: 'x', links: [wrong] }))).toEqual([400, 'GEN-6'])
  })

  test('GEN-15: cannot grant a privilege that the caller lacks', async () => {
    const as = await newUser({ privileges: ['USERS_MANAGE_ROLES', 'USERS_VIEW'] })
    const body = { name: unique('Role'), links: [grant('USERS_VIEW'), grant('USERS_MANAGE_SCOPES')] }
    expect(await refusal(create(body, as))).toEqual([403, 'GEN-15'])
    const { id } = await created({ ...body, links: [grant('USERS_VIEW')] }, as)
    expect(await privilegesOf(id)).toEqual(['USERS_VIEW'])
  })

  test('a limited caller can do it for visible enterprises, by default for their own', async () => {
    const seen = await newEnterprise()
    const as = await newUser({ scopeId: (await newScope({ enterprises: [seen.id] })).id })
    const titleOf = async (links: object[]) => {
      const made = await created({ name: unique('Role'), links }, as)
      return made.links.find(({ rel }: { rel: string }) => rel === 'enterprise').href
    }
    expect(await titleOf([])).toMatch(new RegExp(`/enterprises/${as.enterpriseId}$`))
    expect(await titleOf([enterpriseLink(seen.id)])).toMatch(new RegExp(`/enterprises/${seen.id}$`))
    const hidden = { name: unique('Role'), links: [enterpriseLink((await newEnterprise()).id)] }
    expect(await refusal(create(hidden, as))).toEqual([404, 'EN-0'])
  })
})

describe('changing a role', () => {
  test('replaces privileges by links of rel privilege or privilege<digits>, or keeps them without any (docs/api/users.md, "Roles")', async () => {
    const made = await created({ name: unique('Role'), links: [grant('USERS_VIEW'), grant('VDC_MANAGE')] })
    const renamed = await expectStatus(200, put(made, { name: unique('Renamed') }))
    expect(await privilegesOf(made.id)).toEqual(['VDC_MANAGE', 'USERS_VIEW'])
    const links = [...renamed.links, grant('USERS_VIEW', 0), grant('EVENTLOG_VIEW_ALL', 1)]
    await expectStatus(200, put(renamed, { links }))
    expect(await privilegesOf(made.id)).toEqual(['USERS_VIEW', 'EVENTLOG_VIEW_ALL'])
    const events = await eventsOf('role', made.id)
    expect(events).toHaveLength(3)
    expect(events[1].changes).toEqual({ name: { before: made.name, after: renamed.name } })
    expect(events[2].changes).toEqual({ privileges: { before: 'VDC_MANAGE', after: 'EVENTLOG_VIEW_ALL' } })
    await expectStatus(200, put(renamed, { links }))
    expect(await eventsOf('role', made.id)).toHaveLength(3)
  })

  test('takes effect at once for its users', async () => {
    const made = await created({ name: unique('Role'), links: [grant('USERS_VIEW_PRIVILEGES')] })
    const enterprise = await newEnterprise()
    const password = 'a password for a test'
    const user = await createdUser(enterprise.id, { role: made.id, password })
    const as = { nick: user.nick, password }
    await expectStatus(200, call('GET', ROLES, { as }))
    await expectStatus(200, put(made, { links: [grant('VDC_ENUMERATE')] }))
    await expectStatus(403, call('GET', ROLES, { as }))
  })

  test('replaces its enterprise and scope by those of the document; a hidden scope stays', async () => {
    const [enterprise, scope] = [await newEnterprise(), await newScope()]
    const links = [enterpriseLink(enterprise.id), scopeLink(scope.id)]
    const made = await created({ name: unique('Role'), links })
    const as = await newUser({ scopeId: (await newScope({ enterprises: [enterprise.id] })).id })
    const seen = await expectStatus(200, call('GET', `${ROLES}/${made.id}`, { as }))
    expect(relsOf(await expectStatus(200, put(seen, {}, as)))).not.toContain('scope')
    const whole = await expectStatus(200, call('GET', `${ROLES}/${made.id}`))
    expect(relsOf(whole)).toContain('scope')
    const bare = await expectStatus(200, put(whole, { links: relinked(whole, 'scope') }))
    expect(relsOf(bare)).toEqual(['edit', 'privileges', 'enterprise'])
    expect(relsOf(await expectStatus(200, put(bare, { links: [] })))).toEqual(['edit', 'privileges'])
  })

  test('ROLE-8: is refused for the blocked role, and so is deleting', async () => {
    const role = await cloudAdmin()
    expect(await refusal(put(role, { name: 'X' }))).toEqual([409, 'ROLE-8'])
    expect(await refusal(remove(role.id))).toEqual([409, 'ROLE-8'])
  })

  test('GEN-15: is refused if the caller lacks one of its old or new privileges', async () => {
    const as = await newUser({ privileges: ['USERS_MANAGE_ROLES', 'USERS_VIEW'] })
    const [more, less] = [await newRole({ privileges: ['VDC_MANAGE'] }), await newRole()]
    expect(await refusal(put({ id: more }, { name: unique('Role') }, as))).toEqual([403, 'GEN-15'])
    expect(await refusal(remove(more, as))).toEqual([403, 'GEN-15'])
    const change = { name: unique('Role'), links: [grant('VDC_MANAGE')] }
    expect(await refusal(put({ id: less }, change, as))).toEqual([403, 'GEN-15'])
    await expectStatus(200, put({ id: less }, { ...change, links: [grant('USERS_VIEW')] }, as))
  })

  test('GEN-15: is refused for a role of all enterprises to callers who cannot see all', async () => {
    const as = await newUser({ scopeId: (await newScope()).id })
    const common = await newRole()
    expect(await refusal(put({ id: common }, { name: unique('Role') }, as))).toEqual([403, 'GEN-15'])
    expect(await refusal(remove(common, as))).toEqual([403, 'GEN-15'])
    const own = await newRole({ enterpriseId: as.enterpriseId })
    await expectStatus(200, put({ id: own }, { name: unique('Role') }, as))
    expect((await remove(own, as)).status).toBe(204)
  })

  test('ROLE-7, ROLE-0, GEN-16, 412: is refused', async () => {
    const [made, other] = [await created({ name: unique('Role') }), await created({ name: unique('Role') })]
    expect(await refusal(put(made, { name: other.name }))).toEqual([409, 'ROLE-7'])
    expect(await refusal(put({ id: 999999999 }, { name: 'x' }))).toEqual([404, 'ROLE-0'])
    expect(await refusal(call('PUT', `${ROLES}/${made.id}`, { body: other }))).toEqual([400, 'GEN-16'])
    const stale = { headers: { 'if-match': '"old"' } }
    expect(await refusal(call('DELETE', `${ROLES}/${made.id}`, stale))).toEqual([
      412,
      '412-PRECONDITION-FAILED',
    ])
  })
})

describe('deleting a role', () => {
  test('leaves an event with its privileges', async () => {
    const { id, name } = await created({ name: unique('Role'), links: [grant('USERS_VIEW')] })
    expect((await remove(id)).status).toBe(204)
    expect(await refusal(remove(id))).toEqual([404, 'ROLE-0'])
    const event = (await eventsOf('role', id)).at(-1)
    expect(event).toMatchObject({ action: 'delete', entityName: name })
    expect(event.changes.privileges).toEqual({ before: 'USERS_VIEW' })
  })

  test('ROLE-3: is refused while users have it', async () => {
    const { id } = await created({ name: unique('Role') })
    await createdUser((await newEnterprise()).id, { role: id })
    expect(await refusal(remove(id))).toEqual([409, 'ROLE-3'])
  })

  test('ROLE-0: is refused to callers who cannot see it', async () => {
    const hidden = await newRole({ enterpriseId: (await newEnterprise()).id })
    const as = await newUser({ scopeId: (await newScope()).id })
    expect(await refusal(remove(hidden, as))).toEqual([404, 'ROLE-0'])
    expect(await refusal(put({ id: hidden }, { name: 'x' }, as))).toEqual([404, 'ROLE-0'])
  })
})
