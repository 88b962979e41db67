import { describe, expect, test } from 'vitest'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import {
  createdUser,
  enterpriseLink,
  eventsOf,
  newRole,
  PASSWORD,
  roleLink,
  scopeLink,
  userBody,
  usersOf,
} from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const create = (enterprise: number | '_', body: object, as: User = admin) =>
  call('POST', usersOf(enterprise), { body, as })

const place = async () => ({ enterprise: (await newEnterprise()).id, role: await newRole() })

const hrefOf = ({ links }: { links: { rel: string; href: string }[] }, rel: string) =>
  links.find((link) => link.rel === rel)?.href

describe('creating a user', () => {
  test('stores all fields and links, and the user can sign in', async () => {
    const { enterprise, role } = await place()
    const scope = await newScope({ enterprises: [enterprise] })
    const fields = {
      nick: unique('ada').replace(' ', '-'),
      name: 'Ada',
      surname: 'Lovelace',
      description: 'Counts',
      email: 'ada@example.com',
      locale: 'es_ES',
      active: true,
      locked: false,
      allowedCIDRs: ['127.0.0.0/8', '2001:db8::/32'],
    }
    const body = userBody({ role, scope: scope.id, ...fields, links: [enterpriseLink(enterprise)] })
    const response = await create(enterprise, { ...body, firstLogin: false, authType: 'SAML', unknown: 1 })
    const made = await expectStatus(201, response)
    expect(made).toMatchObject({ ...fields, firstLogin: true, authType: 'LOCAL' })
    expect(response.headers.get('location')).toBe(hrefOf(made, 'edit'))
    expect(hrefOf(made, 'role')).toMatch(new RegExp(`/roles/${role}$`))
    expect(hrefOf(made, 'scope')).toMatch(new RegExp(`/scopes/${scope.id}$`))
    const as = { nick: fields.nick, password: PASSWORD }
    expect(await expectStatus(200, call('GET', '/api/login', { as }))).toEqual(made)
  })

  test('requires only nick, password, name and role (docs/api/users.md, "Users")', async () => {
    const { enterprise, role } = await place()
    const made = await createdUser(enterprise, { role })
    expect(made).toMatchObject({
      surname: '',
      description: '',
      email: '',
      locale: 'en_US',
      active: true,
      locked: false,
      allowedCIDRs: [],
    })
  })

  test.each([
    ['en', 'en'],
    ['EN', 'en'],
    ['ES_es', 'es_ES'],
    ['', 'en_US'],
    [undefined, 'en_US'],
  ])('or changing one with the locale %j in JSON or XML stores %s', async (locale, stored) => {
    const { enterprise, role } = await place()
    const made = await createdUser(enterprise, { role, locale })
    expect(made.locale).toBe(stored)
    const nick = unique('xml').replace(' ', '-')
    const xmlOf = (more: string) =>
      `<user><link rel="role" href="${roleLink(role).href}"/><nick>${nick}</nick><name>N</name>${more}` +
      `${locale === undefined ? '' : `<locale>${locale}</locale>`}</user>`
    const headers = { 'content-type': 'application/xml' }
    const body = xmlOf(`<password>${PASSWORD}</password>`)
    const inXml = await expectStatus(201, call('POST', usersOf(enterprise), { body, headers }))
    expect(inXml.locale).toBe(stored)
    const path = `${usersOf(enterprise)}/${inXml.id}`
    const updated = await expectStatus(200, call('PUT', path, { body: xmlOf(''), headers }))
    expect(updated.locale).toBe(stored)
    const again = { ...made, locale }
    expect(
      (await expectStatus(200, call('PUT', `${usersOf(enterprise)}/${made.id}`, { body: again }))).locale,
    ).toBe(stored)
  })

  test('works in XML as in JSON', async () => {
    const { enterprise, role } = await place()
    const nick = unique('xml').replace(' ', '-')
    const networks = ['10.0.0.0/8', '192.0.2.0/24']
    const body =
      `<user><link rel="role" href="${roleLink(role).href}"/><nick>${nick}</nick><name>A &amp; B</name>` +
      `<password> ${PASSWORD} </password><active>false</active>` +
      `${networks.map((network) => `<allowedCIDRs>${network}</allowedCIDRs>`).join('')}</user>`
    const headers = { 'content-type': 'application/vnd.service.user+xml', accept: 'application/xml' }
    const xml = await expectStatus(201, call('POST', usersOf(enterprise), { body, headers }))
    expect(xml).toContain('<name>A &amp; B</name>')
    const id = Number(/<id>(\d+)<\/id>/.exec(xml)?.[1])
    const made = await expectStatus(200, call('GET', `${usersOf(enterprise)}/${id}`))
    expect(made).toMatchObject({ nick, active: false, allowedCIDRs: networks })
  })

  test('leaves one event, without the password', async () => {
    const { enterprise, role } = await place()
    const { id, nick } = await createdUser(enterprise, { role })
    const events = await eventsOf('user', id)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      action: 'create',
      entityName: nick,
      changes: { nick: { after: nick } },
    })
    expect(JSON.stringify(events)).not.toMatch(/argon2|twelve letters/)
  })
})

describe('creating a user is refused', () => {
  test('USER-4: with a taken nick, in any enterprise', async () => {
    const [one, other] = [await place(), await place()]
    const { nick } = await createdUser(one.enterprise, { role: one.role })
    expect(await refusal(create(other.enterprise, userBody({ role: other.role, nick })))).toEqual([
      409,
      'USER-4',
    ])
  })

  test('USER-1: without a role', async () => {
    const { enterprise, role } = await place()
    expect(await refusal(create(enterprise, { ...userBody({ role }), links: [] }))).toEqual([400, 'USER-1'])
  })

  test('ROLE-0, SCOPE-1, EN-0: with links to missing resources, reported together with faults of fields', async () => {
    const { enterprise } = await place()
    const wrong = userBody({ role: 999999999, scope: 999999999, links: [enterpriseLink(999999999)] })
    expect(await refusal(create(enterprise, wrong))).toEqual([404, 'ROLE-0', 'SCOPE-1', 'EN-0'])
    expect(await refusal(create(enterprise, { ...wrong, id: 5, email: 'no' }))).toEqual([
      404,
      'GEN-11',
      'CONSTR-EMAIL',
      'ROLE-0',
      'SCOPE-1',
      'EN-0',
    ])
    expect(await refusal(create(999999999, wrong))).toEqual([404, 'EN-0'])
    expect(await refusal(create('_', wrong))).toEqual([404, 'EN-0'])
  })

  test('GEN-6: with a link to another enterprise than that of the path', async () => {
    const { enterprise, role } = await place()
    const body = userBody({ role, links: [enterpriseLink((await newEnterprise()).id)] })
    expect(await refusal(create(enterprise, body))).toEqual([400, 'GEN-6'])
    const kind = { ...userBody({ role }), links: [{ rel: 'role', href: scopeLink(1).href }] }
    expect(await refusal(create(enterprise, kind))).toEqual([400, 'GEN-6'])
  })

  const faults: [string, object, string][] = [
    ['an empty nick', { nick: '' }, 'CONSTR-LENGTH'],
    ['a nick of 129 characters', { nick: 'x'.repeat(129) }, 'CONSTR-LENGTH'],
    ['a nick with a colon, which Basic cannot send', { nick: 'a:b' }, 'CONSTR-PATTERN'],
    ['a nick with a line break', { nick: 'a\nb' }, 'CONSTR-PATTERN'],
    ['an empty name', { name: '' }, 'CONSTR-LENGTH'],
    ['no name', { name: null }, 'CONSTR-NOTNULL'],
    ['no password', { password: undefined }, 'CONSTR-NOTNULL'],
    ['a password of 11 characters', { password: 'x'.repeat(11) }, 'CONSTR-LENGTH'],
    ['a password of 1025 characters', { password: 'x'.repeat(1025) }, 'CONSTR-LENGTH'],
    ['the nick as the password', { nick: 'Somebody-of-14', password: 'somebody-of-14' }, 'CONSTR-PATTERN'],
    ['an invalid e-mail address', { email: 'ada@' }, 'CONSTR-EMAIL'],
    ['an invalid locale', { locale: 'english' }, 'CONSTR-PATTERN'],
    ['a flag that is not a boolean', { active: 'yes' }, 'GEN-3'],
    ['a network without a prefix', { allowedCIDRs: ['10.0.0.1'] }, 'CONSTR-PATTERN'],
    ['a network with a host part', { allowedCIDRs: ['10.0.0.1/8'] }, 'CONSTR-PATTERN'],
    ['networks that are not a list', { allowedCIDRs: '10.0.0.0/8' }, 'GEN-3'],
    [
      '101 networks',
      { allowedCIDRs: Array.from({ length: 101 }, (_, part) => `10.0.${part}.0/24`) },
      'CONSTR-LENGTH',
    ],
  ]

  test.each(faults)('with %s', async (_what, change, code) => {
    const { enterprise, role } = await place()
    expect(await refusal(create(enterprise, { ...userBody({ role }), ...change }))).toEqual([400, code])
  })

  test('with several faults, which are all reported with their fields', async () => {
    const { enterprise, role } = await place()
    const response = await create(enterprise, {
      ...userBody({ role }),
      nick: '',
      password: 'short',
      email: 'x',
    })
    const { collection } = await expectStatus(400, response)
    expect(collection.map(({ message }: { message: string }) => message.split(':')[0]).sort()).toEqual([
      'email',
      'nick',
      'password',
    ])
  })
})

test('networks are stored in their canonical form without repeats, mapped ones as IPv4', async () => {
  const { enterprise, role } = await place()
  const allowedCIDRs = ['2001:DB8:0::/32', '2001:db8::/32', ' 10.0.0.0/8', '::ffff:192.0.2.0/120']
  const made = await createdUser(enterprise, { role, allowedCIDRs })
  expect(made.allowedCIDRs).toEqual(['2001:db8::/32', '10.0.0.0/8', '192.0.2.0/24'])
})

test('a sign-in from outside the allowed networks is refused like a wrong password (docs/api/authentication.md, "Basic")', async () => {
  const { enterprise, role } = await place()
  const { nick } = await createdUser(enterprise, { role, allowedCIDRs: ['192.0.2.0/24', '2001:db8::/32'] })
  const there = await call('GET', '/api/login', { as: { nick, password: PASSWORD } })
  const wrong = await call('GET', '/api/login', { as: { nick, password: 'wrong' } })
  expect([there.status, await there.text()]).toEqual([wrong.status, await wrong.text()])
  expect(there.status).toBe(401)
})

test('creating a user of another enterprise also requires USERS_MANAGE_OTHER_ENTERPRISES', async () => {
  const { enterprise, role } = await place()
  const one = await newUser({ privileges: ['USERS_MANAGE_USERS'] })
  const both = await newUser({ privileges: ['USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'] })
  await expectStatus(201, create(one.enterpriseId, userBody({ role }), one))
  await expectStatus(201, create(enterprise, userBody({ role }), both))
  for (const there of [enterprise, 999999999]) {
    const response = await create(there, userBody({ role }), one)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      403,
      expect.stringMatching(/^text\/html/),
    ])
  }
})
