import { expect, test } from 'vitest'
import { draftOf, emptyDraft, faultsOf, sentBy } from '#components/base/forms/declared-form'
import { asNewUser } from './new-user'
import { userForm } from './user-form'
import { userFaults } from './user-password'

const person = {
  ...emptyDraft(userForm),
  nick: ' nina ',
  name: 'Nina',
  enterprise: { id: 1, name: 'Cloud' },
  role: { id: 3, name: 'USER' },
}

const says = { word: String, sayText: ((key: string) => key) as never }
const say = ((key: string) => key) as never
const faults = (changes: Partial<typeof person>, isNew = false, canInvite = false) => {
  const draft = { ...person, ...changes }
  return { ...faultsOf(says, userForm, draft), ...userFaults(say, draft, { isNew, least: 12, canInvite }) }
}

test('a user is sent without the space around texts, and without an empty password', () => {
  expect(sentBy(userForm, person)).toMatchObject({
    nick: 'nina',
    enterprise: 1,
    role: 3,
    scope: undefined,
    password: undefined,
    authType: undefined,
  })
  expect(sentBy(userForm, { ...person, authType: 'SERVICE' })).toMatchObject({ authType: 'SERVICE' })
  expect(sentBy(userForm, { ...person, password: ' a b ' })).toMatchObject({ password: ' a b ' })
})

test('a new user is a person without a password', () => {
  expect(emptyDraft(userForm)).toMatchObject({ authType: '', password: '', active: true, locked: false })
})

test('a user of an identity provider stays one', () => {
  const links = [{ rel: 'role', href: '/api/admin/roles/3', title: 'USER' }]
  const draft = draftOf(userForm, { ...person, authType: 'OPENID', links })
  expect(draft).toMatchObject({ role: { id: 3, name: 'USER' }, scope: undefined, password: '' })
  expect(sentBy(userForm, draft)).toMatchObject({ authType: undefined })
})

test('a new user without a password is invited, and the mail address is enough', () => {
  expect(faults({}, true, true)).toEqual({})
  const short = { nick: '', name: '', email: 'ada@example.com' }
  expect(faults(short, true, true)).toEqual({ nick: undefined, name: undefined })
  expect(asNewUser(sentBy(userForm, { ...person, ...short }), true)).toMatchObject({
    nick: 'ada@example.com',
    name: 'ada',
    invite: true,
  })
  expect(faults({ nick: '', email: '' }, true, true)).toMatchObject({ email: 'emailOrNick' })
  expect(faults({ password: 'short' }, true, true)).toEqual({ password: 'passwordShort' })
  const sent = (changes: Partial<typeof person>) => sentBy(userForm, { ...person, ...changes })
  for (const changes of [{ authType: 'SERVICE' }, { password: 'a long password' }])
    expect(asNewUser(sent(changes), true)).not.toHaveProperty('invite')
  expect(asNewUser(sent({}), false)).not.toHaveProperty('invite')
})

test('each fault of a user is at its field', () => {
  expect(faults({})).toEqual({})
  expect(faults({}, true)).toEqual({ password: 'passwordShort' })
  expect(faults({ authType: 'SERVICE' }, true)).toEqual({})
  expect(faults({ password: 'short' })).toEqual({ password: 'passwordShort' })
  expect(faults({ nick: 'nina of the desk', password: 'Nina of the desk' })).toEqual({
    password: 'passwordIsNick',
  })
  expect(faults({ nick: 'a:b', email: 'nobody', role: undefined })).toEqual({
    nick: 'users.faults.nick',
    email: 'users.faults.email',
    role: 'users.faults.role',
  })
  expect(faults({ nick: '', email: 'x'.repeat(255) })).toEqual({ nick: 'length', email: 'tooLong' })
  expect(faults({ allowedCIDRs: ['192.0.2.1/24'] })).toEqual({ allowedCIDRs: 'users.faults.network' })
})
