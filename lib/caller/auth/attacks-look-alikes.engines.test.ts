import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { lookAlikeKey } from '#lib/db/fold'
import { insertUser } from '#lib/people/identity/users.server'
import { failingStart } from '#lib/tools/testing/api-process'
import { call, codesOf, expectStatus, newUser, unique } from '#lib/tools/testing/client'
import {
  createdUser,
  newRole,
  putUser,
  readUser,
  roleLink,
  userBody,
  usersOf,
} from '#lib/tools/testing/identity'
import { ownDatabase } from '#lib/tools/testing/own-database'
import { isLong } from '#lib/tools/testing/search'
import { changeUser, rowOf } from '#lib/tools/testing/session'

const titleOf = ({ links }: { links: { rel: string; title?: string }[] }, rel: string) =>
  links.find((link) => link.rel === rel)?.title

/* A nick that looks like another user's would be mistaken for it in a list, a mail or an event. */

const place = async () => ({ enterprise: (await newUser()).enterpriseId, role: await newRole() })

const invisible: [string, string][] = [
  ['a zero width space', 'ad\u200bmin'],
  ['a zero width joiner', 'ad\u200dmin'],
  ['a soft hyphen', 'ad\u00admin'],
  ['a right-to-left override', '\u202enimda'],
  ['an isolate', '\u2067admin\u2069'],
  ['a byte order mark', '\ufeffadmin'],
  ['a Hangul filler', 'admin\u3164'],
  ['a blank Braille pattern', 'admin\u2800'],
  ['a variation selector', 'admin\ufe0f'],
  ['a line separator', 'ad\u2028min'],
  ['a tag character', 'admin\u{e0041}'],
  ['a control character', 'ad\u0007min'],
  ['a space before', ' admin'],
  ['a space behind', 'admin '],
  ['a no-break space behind', 'admin\u00a0'],
  // The other nicks that UTS #39 refuses are in lib/people/identity/nick.test.ts.
  ['letters of two scripts', '\u0430dmin'],
  ['a combining mark', 'ad\u0338min'],
]

const refused = { ...(await place()), user: undefined as Awaited<ReturnType<typeof createdUser>> | undefined }

test.each(invisible)('a nick with %s is refused, with the reason', async (_, nick) => {
  const { enterprise, role } = refused
  const made = await call('POST', usersOf(enterprise), { body: { ...userBody({ role }), nick } })
  const { collection } = await expectStatus(400, made)
  const message = expect.stringMatching(/^nick: must not /)
  expect(collection).toEqual([{ code: 'CONSTR-PATTERN', message, field: 'nick' }])
  refused.user ??= await createdUser(enterprise, { role })
  expect(await codesOf(putUser(refused.user, { nick }))).toEqual(['CONSTR-PATTERN'])
})

test('a nick with letters of two scripts is refused beside all other faults, in XML and in plans', async () => {
  const { enterprise, role } = await place()
  const nick = `\u0430dmin${unique('x').replace(' ', '-')}`
  const faulty = { ...userBody({ role }), nick, email: 'none' }
  expect((await codesOf(call('POST', usersOf(enterprise), { body: faulty }))).sort()).toEqual([
    'CONSTR-EMAIL',
    'CONSTR-PATTERN',
  ])
  const { password, name } = userBody({ role })
  const { href } = roleLink(role)
  const body = `<user><nick>${nick}</nick><name>${name}</name><password>${password}</password><link rel="role" href="${href}"/></user>`
  const headers = { accept: 'application/xml', 'content-type': 'application/xml' }
  const refused = await call('POST', usersOf(enterprise), { body, headers })
  expect(await expectStatus(400, refused)).toContain('nick: must not mix letters')
  const user = await createdUser(enterprise, { role })
  const names = { enterprise: titleOf(user, 'enterprise'), role: titleOf(user, 'role') }
  const planned = await call('POST', '/api/plans', { body: { users: [{ nick, name, password, ...names }] } })
  const { refusals } = await expectStatus(201, planned)
  expect(refusals).toEqual([
    expect.objectContaining({ code: 'CONSTR-PATTERN', message: expect.stringContaining('must not mix') }),
  ])
  const table = `nick,name,enterprise,role\r\n${nick},${name},${names.enterprise},${names.role}\r\n`
  const csv = { body: table, headers: { 'content-type': 'text/csv' } }
  const inTable = await expectStatus(201, call('POST', '/api/plans?entity=users', csv))
  expect(
    inTable.refusals.map(({ code, line }: { code: string; line: number }) => [code, line]),
  ).toContainEqual(['CONSTR-PATTERN', 2])
})

test('a restored user keeps a nick from before the rules', async () => {
  const { enterprise, role } = await place()
  for (const old of ['\u0430dmin', 'ad\u0338min', 'ad\u200bmin']) {
    const user = await createdUser(enterprise, { role })
    const nick = `${old}-${user.nick}`
    await changeUser({ nick: user.nick, password: '' }, { nick, nick_identity: lookAlikeKey(nick) })
    await expectStatus(204, call('DELETE', `${usersOf(enterprise)}/${user.id}`))
    const events = await expectStatus(
      200,
      call('GET', `/api/events?entity=user&entityid=${user.id}&action=delete`),
    )
    await expectStatus(200, call('POST', `/api/events/${events.collection[0].id}/action/undo`))
    expect((await readUser(user.id)).nick).toBe(nick)
    expect(
      await codesOf(
        call('POST', usersOf(enterprise), { body: { ...userBody({ role }), nick: `${nick}-2` } }),
      ),
    ).toEqual(['CONSTR-PATTERN'])
  }
})

const alike = (nick: string): [string, string][] => [
  ['in another case', nick.toUpperCase()],
  ['in full-width letters', nick.replace('o', 'ｏ')],
  ['with a ligature', nick.replace('ff', 'ﬀ')],
  ['decomposed', nick.normalize('NFD')],
  ['with ss for ß', nick.replace('ß', 'ss')],
  ['with two spaces', nick.replace(' ', '  ')],
  ['with a no-break space', nick.replace(' ', '\u00a0')],
]

describe('a nick that differs only in how it is written is taken', () => {
  test.each(alike('the office ß é'))('%s', async (_, __) => {
    const { enterprise, role } = await place()
    const nick = `the office ß é ${unique('x')}`
    await createdUser(enterprise, { role, nick })
    const [, other = ''] = alike(nick).find(([what]) => what === _) ?? []
    expect(other).not.toBe(nick)
    const made = await call('POST', usersOf(enterprise), { body: userBody({ role, nick: other }) })
    expect([made.status, await codesOf(made)]).toEqual([409, ['USER-4']])
    const user = await createdUser(enterprise, { role })
    const changed = await putUser(user, { nick: other })
    expect([changed.status, await codesOf(changed)]).toEqual([409, ['USER-4']])
  })

  test('for every way to create users, because the database decides', async () => {
    const { nick, enterpriseId } = await newUser()
    const { role_id: roleId } = await rowOf({ nick, password: '' })
    const twin = { nick: nick.toUpperCase(), name: 'Twin', enterpriseId, roleId, password_hash: '' }
    const insert = (user: typeof twin) => transaction((trx) => insertUser(trx, user))
    await expect(insert(twin)).rejects.toThrow(/unique/i)
    await expect(insert({ ...twin, nick: `${nick}\u200b` })).rejects.toThrow(/invisible/)
  })
})

test('users may change the case of their own nick, and sign in with its exact spelling', async () => {
  const { enterprise, role } = await place()
  const user = await createdUser(enterprise, { role, nick: unique('Cased') })
  const nick = user.nick.toUpperCase()
  await expectStatus(200, putUser(user, { nick }))
  expect((await readUser(user.id)).nick).toBe(nick)
  const password = 'twelve letters at least'
  expect((await call('GET', '/api/login', { as: { nick, password } })).status).toBe(200)
  expect((await call('GET', '/api/login', { as: { nick: user.nick, password } })).status).toBe(401)
})

test('an invalid nick from before the rule may be sent back unchanged, but cannot be set again', async () => {
  const { enterprise, role } = await place()
  const user = await createdUser(enterprise, { role })
  const old = `${user.nick}\u200b`
  await changeUser({ nick: user.nick, password: '' }, { nick: old, nick_identity: lookAlikeKey(old) })
  const document = await readUser(user.id)
  expect(await expectStatus(200, putUser(document, { name: 'Other' }))).toMatchObject({
    nick: old,
    name: 'Other',
  })
  await expectStatus(200, putUser(document, { nick: user.nick }))
  expect(await codesOf(putUser(document, { nick: old }))).toEqual(['CONSTR-PATTERN'])
})

test.runIf(isLong || process.env.TEST_ENGINE === 'sqlite')(
  'the first administrator has a valid nick',
  async () => {
    const { code, said } = await failingStart(await ownDatabase(), { ADMIN_NICK: 'ad\u200bmin' })
    expect([code, said.trim()]).toEqual([1, expect.stringMatching(/^[^\n]*ADMIN_NICK: must not [^\n]*$/)])
  },
)
