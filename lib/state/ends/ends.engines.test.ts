import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { database, transaction } from '#lib/db/db.server'
import { registry } from '#lib/ground/metrics/metrics.server'
import { insertUser } from '#lib/people/identity/users.server'
import { noteEnd } from '#lib/record/mail/end-notices.server'
import { remindOfEnds } from '#lib/state/ends/end-notices.server'
import { endDue } from '#lib/state/ends/ends.server'
import { newAccessToken } from '#lib/tools/testing/access-tokens'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { createdUser, newRole, PASSWORD, putUser, readUser, usersOf } from '#lib/tools/testing/identity'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'
import { changeUser } from '#lib/tools/testing/session'

const DAY = 24 * 60 * 60 * 1000

/** The moment in some days, and as the API writes it. */
const inDays = (days: number) => {
  const at = Date.now() + days * DAY
  return { at, ends: new Date(at).toISOString() }
}

async function userWith(ends?: string, as = admin) {
  const { id } = await newEnterprise()
  return createdUser(id, { role: await newRole(), ...(ends !== undefined && { ends }) }, as)
}

const endEvents = async (id: number) => {
  const { collection } = await expectStatus(
    200,
    call('GET', `/api/events?entity=user&entityid=${id}&by=id&limit=0`),
  )
  return collection.filter(({ action }: { action: string }) => action.startsWith('end'))
}

const listedEnd = async (id: number) => {
  const { collection } = await expectStatus(200, call('GET', '/api/ends?limit=0'))
  return collection.find((end: { kind: string; id: number }) => end.kind === 'user' && end.id === id)
}

const changedBy = async (user: { id: number }, body: object, as: User) =>
  expectStatus(200, putUser(await readUser(user.id), body, as))

const enterpriseOf = async ({ id }: { id: number }): Promise<number> => {
  const { links } = await readUser(id)
  const { href } = links.find(({ rel }: { rel: string }) => rel === 'enterprise')
  return Number(href.split('/').at(-1))
}

const figure = async (name: string): Promise<number> => {
  const text = await registry.metrics()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** Runs work while this user cannot be changed. */
async function whileBroken(user: number, work: () => Promise<void>): Promise<void> {
  const { engine, write } = database()
  const run = async (...statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(write)
  }
  const begins = `create trigger broken before update on users for each row when (old.id = ${user})`
  if (engine === 'sqlite') await run(`${begins} begin select raise(abort, 'broken'); end`)
  else
    await run(
      `create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
      `${begins} execute function broken()`,
    )
  await work()
  if (engine === 'sqlite') await run('drop trigger broken')
  else await run('drop trigger broken on users', 'drop function broken')
}

describe('the end of a user (docs/api/ends.md, "Ends")', () => {
  test('is a moment in UTC; a PUT without it keeps it, an empty one clears it', async () => {
    const user = await userWith('2100-01-31T10:00:00+02:00')
    expect(user.ends).toBe('2100-01-31T08:00:00.000Z')
    const { ends: _ends, ...without } = user
    expect((await expectStatus(200, putUser(without))).ends).toBe(user.ends)
    const xml = `<user><nick>${user.nick}</nick><name>n</name><ends/>${user.links
      .map(({ rel, href }: { rel: string; href: string }) => `<link rel="${rel}" href="${href}"/>`)
      .join('')}</user>`
    const headers = { 'content-type': 'application/xml' }
    const path = `${usersOf('_')}/${user.id}`
    expect(await expectStatus(200, call('PUT', path, { body: xml, headers }))).not.toHaveProperty('ends')
  })

  test('ENDS-1: is not in the past, unless it stays as it is', async () => {
    const user = await userWith(inDays(1).ends)
    expect(await refusal(putUser(user, { ends: inDays(-1).ends }))).toEqual([400, 'ENDS-1'])
    const faulty = [
      'soon',
      '2100-06-30T23:59:60Z',
      '2100-02-29T00:00:00Z',
      '2100-01-01T00:00:00+99:99',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00+01:00',
    ]
    for (const ends of faulty)
      expect(await refusal(putUser(user, { ends })), ends).toEqual([400, 'CONSTR-PATTERN'])
    const last = '9999-12-31T23:59:59.999Z'
    expect(await expectStatus(200, putUser(user, { ends: last }))).toMatchObject({ ends: last })
    await expectStatus(200, putUser(user))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY })
    try {
      await expectStatus(200, putUser(user))
    } finally {
      vi.useRealTimers()
    }
  })

  test('is moved by nobody for themselves', async () => {
    const self = await newUser({ privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS'] })
    const document = await readUser(self.id)
    const limited = await expectStatus(200, putUser(document, { ends: inDays(3).ends }))
    for (const ends of ['', inDays(5).ends])
      expect(await refusal(putUser(limited, { ends }, self))).toEqual([403, 'GEN-15'])
    await expectStatus(200, putUser(limited, { surname: 'Other' }, self))
  })

  test('makes the user inactive once, in one process or two, with all that they could act by', async () => {
    const { at, ends } = inDays(2)
    const user = await userWith()
    const { token } = await newAccessToken({ ...user, password: PASSWORD })
    await expectStatus(200, putUser(user, { ends }))
    await endDue(at - 1)
    expect((await readUser(user.id)).active).toBe(true)
    await Promise.all([endDue(at), endDue(at)])
    await endDue(at)
    const ended = await readUser(user.id)
    expect(ended).toMatchObject({ active: false })
    expect(ended).not.toHaveProperty('ends')
    const events = await endEvents(user.id)
    expect(events).toMatchObject([
      { action: 'end', changes: { active: { before: 'true', after: 'false' }, ends: { before: ends } } },
    ])
    expect(events[0]).not.toHaveProperty('user')
    const again = call('PUT', `${usersOf('_')}/${user.id}`, { body: { ...ended, active: true } })
    expect(await expectStatus(200, again)).not.toHaveProperty('ends')
    const headers = { authorization: `Token ${token}` }
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
  })

  test('can be undone, and then there is no end', async () => {
    const { at, ends } = inDays(2)
    const user = await userWith(ends)
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    try {
      await endDue(at)
      const [event] = await endEvents(user.id)
      await expectStatus(200, call('POST', `/api/events/${event.id}/action/undo`))
      const { active, ends: left } = await readUser(user.id)
      expect({ active, left }).toEqual({ active: true, left: undefined })
    } finally {
      vi.useRealTimers()
    }
  })

  test('of many at once: each has an event of its own, which is undone alone', async () => {
    const { at, ends } = inDays(2)
    const { id } = await newEnterprise()
    const role = await newRole()
    const users = await Promise.all([1, 2, 3].map(() => createdUser(id, { role, ends })))
    await endDue(at)
    const active = () => Promise.all(users.map(async (user) => (await readUser(user.id)).active))
    expect(await active()).toEqual([false, false, false])
    const events = await Promise.all(users.map((user) => endEvents(user.id)))
    expect(events.map(({ length }) => length)).toEqual([1, 1, 1])
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    try {
      await expectStatus(200, call('POST', `/api/events/${events[1][0].id}/action/undo`))
    } finally {
      vi.useRealTimers()
    }
    expect(await active()).toEqual([false, true, false])
  })

  test('of one that cannot end delays no others, and comes later', async () => {
    const { at, ends } = inDays(2)
    const { id } = await newEnterprise()
    const role = await newRole()
    const users = await Promise.all([1, 2, 3].map(() => createdUser(id, { role, ends })))
    const failures = await figure('ends_total{kind="user",outcome="failed"}')
    const active = () => Promise.all(users.map(async (user) => (await readUser(user.id)).active))
    await whileBroken(users[1].id, () => endDue(at))
    expect(await active()).toEqual([false, true, false])
    expect(await figure('ends_total{kind="user",outcome="failed"}')).toBe(failures + 1)
    await endDue(at + 60_000)
    expect(await active()).toEqual([false, false, false])
  })

  test('happens with the sight of the user who set it, to each resource alone', async () => {
    const privileges = ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'] as const
    const maker = await newUser({ privileges: [...privileges] })
    const { at, ends } = inDays(2)
    const [seen, unseen] = [await userWith(), await userWith()]
    for (const user of [seen, unseen]) await expectStatus(200, putUser(user, { ends }, maker))
    const scope = await newScope({ enterprises: [await enterpriseOf(seen)] })
    for (const user of [maker, seen]) await changeUser(user, { scope_id: scope.id })
    await endDue(at)
    expect((await endEvents(seen.id)).map(({ action }: { action: string }) => action)).toEqual(['end'])
    expect(await endEvents(unseen.id)).toMatchObject([
      { action: 'end-refused', changes: { reason: { after: 'EN-0' } } },
    ])
    expect(await readUser(unseen.id)).toMatchObject({ active: true })
  })

  test('of the user who set it comes first, and theirs then end by the one who set that', async () => {
    const maker = await newUser()
    await expectStatus(200, putUser(await readUser(maker.id), { ends: inDays(2).ends }))
    const user = await userWith(inDays(3).ends, maker)
    await endDue(inDays(4).at)
    expect((await readUser(maker.id)).active).toBe(false)
    expect((await readUser(user.id)).active).toBe(false)
    expect(await endEvents(user.id)).toMatchObject([{ action: 'end' }])
  })

  test('that has passed while the user was deleted is an end too', async () => {
    const { at, ends } = inDays(2)
    const user = await userWith(ends)
    await expectStatus(204, call('DELETE', `${usersOf('_')}/${user.id}`))
    const { collection } = await expectStatus(
      200,
      call('GET', `/api/events?entity=user&entityid=${user.id}&action=delete`),
    )
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    try {
      await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
    } finally {
      vi.useRealTimers()
    }
    const restored = await readUser(user.id)
    expect(restored.active).toBe(false)
    expect(restored).not.toHaveProperty('ends')
  })

  test.each([
    ['has left', async () => ({ active: 0 as const }), { active: 1 as const }],
    [
      'lost the privilege',
      async () => ({ role_id: await newRole({ privileges: ['USERS_VIEW'] }) }),
      undefined,
    ],
  ])('waits for somebody if the user who set it %s', async (_why, lose, restored) => {
    const privileges = ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'] as const
    const maker = await newUser({ privileges: [...privileges] })
    const user = await userWith()
    const { at, ends } = inDays(2)
    await expectStatus(200, putUser(user, { ends }, maker))
    const due = await figure('ends_due')
    await changeUser(maker, await lose())
    await endDue(at)
    await endDue(at + 61_000)
    expect(await readUser(user.id)).toMatchObject({ active: true, ends })
    const [event, ...others] = await endEvents(user.id)
    expect(event).toMatchObject({ action: 'end-refused', changes: { reason: { after: '403-FORBIDDEN' } } })
    expect(others).toEqual([])
    expect(await refusal(call('POST', `/api/events/${event.id}/action/undo`))).toEqual([409, 'UNDO-3'])
    expect(await listedEnd(user.id)).toMatchObject({ ends, refused: '403-FORBIDDEN' })
    expect(await figure('ends_due')).toBe(due)
    // Either they may do so again, or another administrator sets the end.
    if (restored) await changeUser(maker, restored)
    else {
      await expectStatus(200, putUser(await readUser(user.id), { ends: inDays(3).ends }))
      expect(await listedEnd(user.id)).not.toHaveProperty('refused')
    }
    await endDue(inDays(3).at + 1)
    expect((await readUser(user.id)).active).toBe(false)
    expect((await endEvents(user.id)).map(({ action }: { action: string }) => action)).toEqual([
      'end-refused',
      'end',
    ])
  })

  test.each([
    ['disables', (maker: { id: number }, as: User) => changedBy(maker, { active: false }, as)],
    [
      'deletes',
      (maker: { id: number }, as: User) =>
        expectStatus(204, call('DELETE', `${usersOf('_')}/${maker.id}`, { as })),
    ],
  ])('is of the user who %s the one who set it', async (_how, leave) => {
    const maker = await newUser()
    const [seen, unseen] = [await userWith(), await userWith()]
    const { at, ends } = inDays(2)
    for (const user of [seen, unseen]) await expectStatus(200, putUser(user, { ends }, maker))
    const enterprises = [await enterpriseOf(seen), await enterpriseOf(await readUser(maker.id))]
    const { id: scopeId } = await newScope({ enterprises })
    const heir = await newUser({ scopeId })
    const { id: scope_id } = await newScope({ enterprises, parent: scopeId })
    for (const user of [maker, seen]) await changeUser(user, { scope_id })
    await leave(maker, heir)
    await endDue(at)
    expect([(await readUser(seen.id)).active, (await readUser(unseen.id)).active]).toEqual([false, true])
    expect(await listedEnd(unseen.id)).toMatchObject({ refused: 'EN-0' })
    expect(await endEvents(unseen.id)).toMatchObject([{ action: 'end-refused' }])
  })

  test('that is refused stays so when the one who set it leaves, and happens once they may again', async () => {
    const maker = await newUser()
    const [user, deputy] = [await userWith(), await newUser()]
    const { at, ends } = inDays(2)
    await expectStatus(200, putUser(user, { ends }, maker))
    await changeUser(maker, { role_id: await newRole({ privileges: ['USERS_VIEW'] }) })
    await endDue(at)
    await changedBy(maker, { active: false }, deputy)
    await endDue(at + 61_000)
    expect(await readUser(user.id)).toMatchObject({ active: true, ends })
    expect(await listedEnd(user.id)).toMatchObject({ refused: '403-FORBIDDEN' })
    await changeUser(maker, { active: 1, role_id: await newRole({ privileges: [...allPrivileges] }) })
    await endDue(at + 130_000)
    expect((await readUser(user.id)).active).toBe(false)
  })

  test('that is refused goes with the access of the user, and nobody needs a privilege for it', async () => {
    const maker = await newUser()
    const user = await userWith()
    const { at, ends } = inDays(2)
    await expectStatus(200, putUser(user, { ends }, maker))
    await changeUser(maker, { active: 0 })
    await changeUser(user, { active: 0 })
    await endDue(at)
    expect(await endEvents(user.id)).toMatchObject([{ action: 'end' }])
    expect(await readUser(user.id)).not.toHaveProperty('ends')
  })

  test('does nothing to a user who has more privileges by now than the one who set it (GEN-15)', async () => {
    const privileges = ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'] as const
    const maker = await newUser({ privileges: [...privileges] })
    const [promoted, other] = [await userWith(), await userWith()]
    const { at, ends } = inDays(2)
    for (const user of [promoted, other]) await expectStatus(200, putUser(user, { ends }, maker))
    await changeUser(promoted, { role_id: await newRole({ privileges: ['MANAGE_DEVICES'] }) })
    await endDue(at)
    expect(await readUser(promoted.id)).toMatchObject({ active: true })
    expect(await readUser(other.id)).toMatchObject({ active: false })
    const [event] = await endEvents(promoted.id)
    expect(event).toMatchObject({ action: 'end-refused', changes: { reason: { after: 'GEN-15' } } })
  })

  test('leaves the last cloud administrator active (USER-25)', async () => {
    const { collection } = await expectStatus(200, call('GET', '/api/admin/roles?has=cloud_admin'))
    const self = await expectStatus(200, call('GET', '/api/login'))
    const { at, ends } = inDays(2)
    const { id } = await newEnterprise()
    const { nick, id: otherId } = await createdUser(id, { role: collection[0].id })
    const other = { nick, password: PASSWORD, id: otherId }
    await expectStatus(200, putUser(self, { ends }, other))
    const before = await database()
      .write.updateTable('users')
      .set({ active: 0 })
      .where('role_id', '=', collection[0].id)
      .where('id', '<>', self.id)
      .where('active', '=', 1)
      .returning('id')
      .execute()
    expect(before.map((row) => row.id)).toContain(other.id)
    await endDue(at)
    const [event] = await endEvents(self.id)
    expect(event).toMatchObject({ action: 'end-refused', changes: { reason: { after: 'USER-25' } } })
    expect(await readUser(self.id)).toMatchObject({ active: true })
    expect(await readUser(self.id)).not.toHaveProperty('ends')
  })

  test('endsbefore lists whom it concerns, and an export and a plan have it', async () => {
    const enterprise = await newEnterprise()
    const role = await newRole()
    const soon = await createdUser(enterprise.id, { role, ends: '2090-01-01T00:00:00Z' })
    const later = await createdUser(enterprise.id, { role, ends: '2091-01-01T00:00:00Z' })
    await createdUser(enterprise.id, { role })
    const endingBefore = async (moment: string) => {
      const path = `${usersOf(enterprise.id)}?endsbefore=${encodeURIComponent(moment)}`
      const list = await expectStatus(200, call('GET', path))
      expect(list.totalSize).toBe(list.collection.length)
      return list.collection.map(({ id }: { id: number }) => id)
    }
    expect(await endingBefore('2090-06-01T00:00:00+00:00')).toEqual([soon.id])
    expect(await endingBefore('2092-01-01T00:00:00Z')).toEqual([soon.id, later.id])
    expect(await refusal(call('GET', `${usersOf('_')}?endsbefore=soon`))).toEqual([400, 'GEN-22'])
    const plan = (ends: string) =>
      expectStatus(201, call('POST', '/api/plans', { body: { users: [{ nick: soon.nick, ends }] } }))
    const { operations, id } = await plan('')
    expect(operations[0].changes).toEqual([{ field: 'ends', before: soon.ends, after: '' }])
    await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`))
    expect(await readUser(soon.id)).not.toHaveProperty('ends')
    expect((await plan('2020-01-01T00:00:00Z')).refusals).toMatchObject([{ code: 'ENDS-1' }])
  })
})

describe('the mails about an end', () => {
  test('come a week and a day before, once each, to the user who set it, in their language', () =>
    withMailbox(async ({ of }) => {
      const email = newAddress()
      const setter = await newUser({
        email,
        locale: 'es_ES',
        privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
      })
      const { at, ends } = inDays(20)
      const user = await userWith()
      await expectStatus(200, putUser(user, { ends }, setter))
      const sent = async (days: number) => {
        await Promise.all([remindOfEnds(at - days * DAY), remindOfEnds(at - days * DAY)])
        return (await of(email)).map(({ subject }) => subject)
      }
      const subject = `${user.nick} termina pronto`
      expect(await sent(8)).toEqual([])
      expect(await sent(6.9)).toEqual([subject])
      expect(await sent(1.1)).toEqual([subject])
      expect(await sent(0.9)).toEqual([subject, subject])
      expect(await sent(0.1)).toEqual([subject, subject])
    }))

  test('do not come late, about an end that has moved, nor to a user who may not see it any more', () =>
    withMailbox(async ({ of }) => {
      const email = newAddress()
      const setter = await newUser({
        email,
        privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
      })
      const [short, moved, unseen] = [await userWith(), await userWith(), await userWith()]
      await expectStatus(200, putUser(short, { ends: inDays(0.5).ends }, setter))
      await expectStatus(200, putUser(moved, { ends: inDays(10).ends }, setter))
      await expectStatus(200, putUser(moved, { ends: inDays(90).ends }))
      await expectStatus(200, putUser(unseen, { ends: inDays(10).ends }, setter))
      await changeUser(setter, { role_id: await newRole() })
      await remindOfEnds(inDays(9.5).at)
      expect(await of(email)).toEqual([])
    }))

  test('about many ends of one day are one mail, with 20 of them', () =>
    withMailbox(async ({ of }) => {
      const email = newAddress()
      const { id: by } = await newUser({
        email,
        privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
      })
      const first = Math.floor(inDays(20).at / DAY) * DAY + DAY / 4
      const { id: enterpriseId } = await newEnterprise()
      const roleId = await newRole()
      const nicks = Array.from({ length: 25 }, () => unique('many'))
      await transaction(async (trx) => {
        for (const [index, nick] of [...nicks, unique('next day')].entries()) {
          const endsAt = index < 25 ? first + index * 60_000 : first + DAY
          const user = { nick, name: 'Test', enterpriseId, roleId, password_hash: '' }
          const id = await insertUser(trx, { ...user, endsAt })
          await noteEnd(trx, { entity: 'user', id, endsAt, by })
        }
      })
      const aboutMany = async () => (await of(email)).filter(({ subject }) => subject === '25 ends are soon')
      for (const days of [7, 1]) {
        for (const _ of [1, 2]) await remindOfEnds(first - days * DAY)
        const mails = await aboutMany()
        expect(mails).toHaveLength(days === 7 ? 1 : 2)
        const { text = '' } = mails.at(-1) ?? {}
        expect(text.match(/^User .*$/gm)).toEqual(
          nicks.slice(0, 20).map((nick, index) => `User ${nick}: 06:${String(index).padStart(2, '0')} UTC`),
        )
        expect(text).toMatch(/^and 5 more$/m)
        await remindOfEnds(first - (days - 0.9) * DAY)
      }
      await remindOfEnds(first)
      expect(await aboutMany()).toHaveLength(2)
      expect(await of(email)).toHaveLength(4)
    }))
})
