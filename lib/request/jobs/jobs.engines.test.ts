import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import { database, transaction } from '#lib/db/db.server'
import { type LinkDocument, linkOf } from '#lib/ground/http/view'
import type { JobDocument } from '#lib/record/jobs/jobs.schema'
import { workDue } from '#lib/request/jobs/worker.server'
import { newAccessToken, statusBy, withToken } from '#lib/tools/testing/access-tokens'
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
  newRole,
  putUser,
  readUser,
  relinked,
} from '#lib/tools/testing/identity'
import { eventsOf, newCenter, refer } from '#lib/tools/testing/inventory'
import { addIps, type Network, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, putScope } from '#lib/tools/testing/scopes'

const async = { prefer: 'respond-async' }

type Sending = { as?: User | null; headers?: Record<string, string> }

const send = (place: { datacenter: number }, action: string, body: unknown, { as, headers }: Sending = {}) =>
  call('POST', `${networksPath(place.datacenter)}/action/${action}`, {
    body,
    headers: { ...async, ...headers },
    ...(as !== undefined && { as }),
  })

const begin = async (answer: Promise<Response>): Promise<JobDocument> => {
  const response = await answer
  const job = (await expectStatus(202, response)) as JobDocument
  expect(response.headers.get('preference-applied')).toBe('respond-async')
  expect(response.headers.get('location')).toBe(`${ORIGIN}/api/jobs/${job.id}`)
  return job
}

const pathOf = ({ id }: { id: number }): string => `/api/jobs/${id}`

const read = (job: { id: number }, as?: User): Promise<JobDocument> =>
  expectStatus(200, call('GET', pathOf(job), { ...(as && { as }) }))

const ended = async (job: { id: number }, as?: User): Promise<JobDocument> => {
  await workDue()
  return read(job, as)
}

const hrefOf = (document: { links: LinkDocument[] }, rel: string): string =>
  linkOf(document, rel)?.href.replace(ORIGIN, '') ?? ''

const many = async (count: number): Promise<Network> => {
  const { id: datacenter } = await newDatacenter()
  const network = await newNetwork({ datacenter, cidr: '10.0.0.0/16' })
  await addIps(network, { count })
  return network
}

const quarantined = async (place: Network): Promise<number> => {
  const rows = await database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', place.id)
    .where('quarantine', '=', 1)
    .select('id')
    .execute()
  return rows.length
}

describe('a job of a bulk change', () => {
  test('goes on after its answer, leaves one event, and its undo takes back what it did', async () => {
    const place = await many(450)
    const job = await begin(send(place, 'changeips', { filter: '', quarantine: true }))
    expect(job).toMatchObject({ operation: 'natip.update', state: 'waiting', done: 0, refused: 0 })
    expect(job.total).toBeUndefined()
    expect(await quarantined(place)).toBe(0)
    const done = await ended(job)
    expect(done).toMatchObject({ state: 'done', done: 450, total: 450, refused: 0 })
    expect(hrefOf(done, 'stop')).toBe('')
    expect(await quarantined(place)).toBe(450)
    const [, event, ...others] = await eventsOf('datacenter', place.datacenter)
    expect(others).toEqual([])
    expect(event).toMatchObject({ action: 'change-natips', changes: { count: { after: '450' } } })
    expect(hrefOf(done, 'event')).toBe(`/api/events/${event.id}`)
    const report = await expectStatus(200, call('GET', hrefOf(done, 'result')))
    expect(report).toMatchObject({ total: 450, changed: 450, refused: 0, event: event.id })
    expect(report.ids).toHaveLength(450)
    const [row] = await database()
      .read.selectFrom('jobs')
      .where('id', '=', job.id)
      .select('document')
      .execute()
    expect(row).toEqual({ document: null })
    await expectStatus(200, call('POST', `/api/events/${event.id}/action/undo`))
    expect(await quarantined(place)).toBe(0)
  })

  test.each(['changeips', 'deleteips', 'attachips', 'releaseips', 'deleterules'] as const)(
    'does what %s does, with its refusals',
    async (action) => {
      const machine = await newMachineWithIps()
      const { network } = machine
      const rule = { body: ruleBody(machine, { snat: true }) }
      await expectStatus(201, call('POST', `${machine.path}/natrules`, rule))
      const center = await newCenter({ datacenter: network.datacenter })
      const links = [refer('virtualdatacenter', `/api/cloud/virtualdatacenters/${center.id}`)]
      const body = {
        filter: '',
        ...(action === 'changeips' && { available: false }),
        ...(action === 'attachips' && { links }),
      }
      const expected = {
        changeips: [9, 1],
        deleteips: [8, 2],
        attachips: [8, 2],
        releaseips: [1, 9],
        deleterules: [1, 0],
      }[action]
      const done = await ended(await begin(send(network, action, body)))
      const report = await expectStatus(200, call('GET', hrefOf(done, 'result')))
      expect([report.changed, report.refused]).toEqual(expected)
      expect(done).toMatchObject({ state: 'done', refused: expected[1] })
      expect(report.refusals).toHaveLength(expected[1] ?? 0)
    },
  )

  test('changes and deletes users', async () => {
    const { id: enterpriseId } = await newEnterprise()
    const people = [await newUser({ enterpriseId }), await newUser({ enterpriseId })]
    const path = `/api/admin/enterprises/${enterpriseId}/users/action`
    const ids = people.map(({ id }) => id)
    const change = call('POST', `${path}/changeusers`, { body: { ids, locked: true }, headers: async })
    expect(await ended(await begin(change))).toMatchObject({
      operation: 'user.update',
      state: 'done',
      done: 2,
    })
    const removal = call('POST', `${path}/deleteusers`, { body: { ids }, headers: async })
    expect(await ended(await begin(removal))).toMatchObject({ operation: 'user.delete', done: 2, refused: 0 })
  })

  test('is refused at once where the change is, without a job', async () => {
    const place = await many(1)
    const as = await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'] })
    const body = { filter: '', quarantine: true }
    expect((await send(place, 'changeips', body, { as })).status).toBe(403)
    expect(await refusal(send({ datacenter: 999_999 }, 'changeips', body))).toEqual([404, 'DC-0'])
    expect(await refusal(send(place, 'changeips', { filter: 'attached=perhaps' }))).toEqual([400, 'GEN-22'])
    expect(await refusal(send(place, 'changeips', {}))).toEqual([400, 'CONSTR-NOTNULL'])
    expect((await send(place, 'changeips', body, { headers: { accept: 'text/csv' } })).status).toBe(406)
    const own = await expectStatus(200, call('GET', '/api/jobs', { as }))
    expect(own.totalSize).toBe(0)
  })

  test('is answered in XML, also where the client names the media type of the change', async () => {
    const place = await many(2)
    const headers = { 'content-type': 'application/xml', accept: 'application/vnd.example.bulkreport+xml' }
    const vendor = (await call('GET', '/api/jobs')).headers.get('content-type')?.split('.')[1] ?? ''
    headers.accept = `application/vnd.${vendor}.bulkreport+xml`
    const body = '<bulkchange><filter></filter><quarantine>true</quarantine></bulkchange>'
    const response = await send(place, 'changeips', body, { headers })
    expect(response.headers.get('content-type')).toBe(`application/vnd.${vendor}.job+xml`)
    const xml = await expectStatus(202, response)
    expect(xml).toMatch(/^<\?xml.*<job>.*<operation>natip.update<\/operation><state>waiting<\/state>/s)
    const id = Number(/<id>(\d+)<\/id>/.exec(xml)?.[1])
    expect(await ended({ id })).toMatchObject({ state: 'done', done: 2 })
    const xmlOf = (path: string) =>
      expectStatus(200, call('GET', path, { headers: { accept: 'application/xml' } }))
    expect(await xmlOf(pathOf({ id }))).toMatch(/<state>done<\/state>/)
    expect(await xmlOf('/api/jobs?limit=1')).toMatch(/<jobs>.*<totalSize>.*<job>/s)
    expect(await xmlOf(`${pathOf({ id })}/report`)).toMatch(/<changed>2<\/changed>/)
  })

  test('a dry run is answered at once', async () => {
    const body = { filter: '', quarantine: true, dryrun: true }
    expect(await expectStatus(200, send(await many(1), 'changeips', body))).toMatchObject({ total: 1 })
  })

  test('with a key is made once, and the repeat gets it as it is', async () => {
    const place = await many(3)
    const headers = { 'idempotency-key': unique('key').replace(' ', '-') }
    const body = { filter: '', quarantine: true }
    const job = await begin(send(place, 'changeips', body, { headers }))
    await workDue()
    const again = await send(place, 'changeips', body, { headers })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await expectStatus(202, again)).toMatchObject({ id: job.id, state: 'done', done: 3 })
    expect((await eventsOf('datacenter', place.datacenter)).length).toBe(2)
  })
})

describe('who sees a job', () => {
  test('is its maker, and who may see its event', async () => {
    const place = await many(1)
    const as = await newUser()
    const other = await newUser({ enterpriseId: as.enterpriseId, privileges: ['EVENTLOG_VIEW_ENTERPRISE'] })
    const job = await begin(send(place, 'changeips', { filter: '', quarantine: true }, { as }))
    expect(await refusal(call('GET', pathOf(job), { as: other }))).toEqual([404, 'JOB-0'])
    expect(await refusal(call('POST', `${pathOf(job)}/action/stop`, { as: other }))).toEqual([404, 'JOB-0'])
    const scope = await newScope({ enterprises: [as.enterpriseId] })
    const limited = await newUser({ enterpriseId: as.enterpriseId, scopeId: scope.id })
    expect(await refusal(call('GET', pathOf(job), { as: limited }))).toEqual([404, 'JOB-0'])
    const seen = await read(job)
    expect(hrefOf(seen, 'stop')).toBe('')
    expect(await refusal(call('POST', `${pathOf(job)}/action/stop`))).toEqual([403, 'GEN-15'])
    const { id, state } = await ended(job, as)
    expect(state).toBe('done')
    const report = `/api/jobs/${id}/report`
    expect(await refusal(call('GET', report))).toEqual([404, 'JOB-0'])
    const asked = { method: 'GET', path: report, user: as.id }
    const explain = (by: User) =>
      expectStatus(200, call('POST', '/api/access/action/explain', { as: by, body: asked }))
    expect(await explain(as)).toMatchObject({ granted: true })
    const who = call('GET', `/api/access/action/who?method=GET&path=${report}`, { as })
    expect((await expectStatus(200, who)).collection).toMatchObject([{ id: as.id }])
    const list = (reader: User) => expectStatus(200, call('GET', '/api/jobs', { as: reader }))
    expect((await list(other)).totalSize).toBe(0)
    expect((await list(as)).collection[0]).toMatchObject({ id })
  })

  test('knows its numbers of rows where they see all of them', async () => {
    const { network, enterprise } = await newMachineWithIps()
    const as = await newUser({ enterpriseId: enterprise })
    const { id } = await begin(send(network, 'deleterules', { filter: '' }, { as }))
    const { id: other } = await begin(send(network, 'changeips', { filter: '', quarantine: true }, { as }))
    await workDue()
    const scope = await newScope({ enterprises: [enterprise], datacenters: [network.datacenter] })
    const limited = await newUser({ enterpriseId: enterprise, scopeId: scope.id })
    const { collection } = await expectStatus(200, call('GET', '/api/jobs', { as: limited }))
    const numbers = ['done', 'total', 'refused']
    for (const job of [await read({ id }, limited), collection.find((each: JobDocument) => each.id === id)])
      for (const name of numbers) expect(job).not.toHaveProperty(name)
    for (const reader of [as, undefined]) expect(await read({ id }, reader)).toMatchObject({ total: 0 })
    expect(await read({ id: other }, limited)).toMatchObject({ done: 10, total: 10, refused: 0 })
  })
})

test('the undo of a move is seen where both enterprises are', async () => {
  const [from, to] = [await newEnterprise(), await newEnterprise()]
  const as = await newUser({ enterpriseId: to.id })
  const readerIn = async (enterprises: number[]) =>
    newUser({ enterpriseId: to.id, scopeId: (await newScope({ enterprises })).id })
  const user = await createdUser(from.id, { role: await newRole() }, as)
  const links = relinked(user, 'enterprise', enterpriseLink(to.id))
  await expectStatus(200, putUser(user, { links }, as))
  const move = (await eventsOf('user', user.id)).find(({ action }: { action: string }) => action === 'update')
  const job = await begin(call('POST', `/api/events/${move.id}/action/undo`, { as, headers: async }))
  expect((await read(job, await readerIn([from.id, to.id]))).operation).toBe('event.undo')
  const one = call('GET', pathOf(job), { as: await readerIn([to.id]) })
  expect(await refusal(one)).toEqual([404, 'JOB-0'])
  await workDue()
})

test('its report needs the privilege of the change, also of a token of its maker', async () => {
  const place = await many(1)
  const as = await newUser()
  const job = await ended(await begin(send(place, 'changeips', { filter: '', quarantine: true }, { as })), as)
  const reportBy = async (privilege: Privilege) => {
    const { token } = await newAccessToken(as, { privileges: [privilege] })
    return statusBy(token, { path: `${pathOf(job)}/report` })
  }
  expect(await reportBy('USERS_VIEW')).toBe(403)
  expect(await reportBy('PHYS_DC_ALLOW_MODIFY_NETWORK')).toBe(200)
})

test('a token stops only jobs that it made itself, and sees only their link, and its user all of theirs', async () => {
  const place = await many(1)
  const as = await newUser()
  const privileges = ['PHYS_DC_RETRIEVE_DETAILS', 'PHYS_DC_ALLOW_MODIFY_NETWORK']
  const headers = withToken((await newAccessToken(as, { privileges })).token)
  const body = { filter: '', quarantine: true }
  const ofUser = await begin(send(place, 'changeips', body, { as }))
  const ofToken = await begin(send(place, 'changeips', body, { as: null, headers }))
  const path = (job: JobDocument) => `${pathOf(job)}/action/stop`
  const stops = async (asking: object) => {
    const { collection } = await expectStatus(200, call('GET', '/api/jobs?limit=2', asking))
    for (const job of collection) {
      const one = await expectStatus(200, call('GET', pathOf(job), asking))
      expect(hrefOf(one, 'stop')).toBe(hrefOf(job, 'stop'))
    }
    return collection.map((job: JobDocument) => hrefOf(job, 'stop'))
  }
  expect(await stops({ as: null, headers })).toEqual([path(ofToken), ''])
  expect(await stops({ as })).toEqual([path(ofToken), path(ofUser)])
  expect(await refusal(call('POST', path(ofUser), { as: null, headers }))).toEqual([403, 'GEN-15'])
  await expectStatus(200, call('POST', path(ofToken), { as: null, headers }))
  await expectStatus(200, call('POST', path(ofUser), { as }))
})

test('a program that acts by a grant changes no account of its user by a job either', async () => {
  const as = await newUser()
  const asking = { as: null, headers: { ...async, ...withToken((await newAccessToken(as)).token) } }
  await expectStatus(200, putUser(await readUser(as.id), { surname: 'Own' }))
  const change = (await eventsOf('user', as.id)).find((each: { action: string }) => each.action === 'update')
  const undo = `/api/events/${change.id}/action/undo`
  const body = { users: [{ nick: as.nick, surname: 'Another' }] }
  const plan = await expectStatus(201, call('POST', '/api/plans', { as, body }))
  const apply = `/api/plans/${plan.id}/action/apply`
  for (const path of [undo, apply]) {
    const headers = { authorization: asking.headers.authorization }
    expect(await refusal(call('POST', path, { as: null, headers }))).toEqual([403, 'GEN-15'])
    expect(await ended(await begin(call('POST', path, asking)), as)).toMatchObject({
      state: 'failed',
      code: 'GEN-15',
    })
  }
  expect((await readUser(as.id)).surname).toBe('Own')
  expect(await ended(await begin(call('POST', undo, { as, headers: async })), as)).toMatchObject({
    state: 'done',
  })
})

test('why a job failed is for its maker, and not for a program that did not make it', async () => {
  const as = await newUser()
  const name = unique('Scope')
  const plan = await expectStatus(201, call('POST', '/api/plans', { as, body: { scopes: [{ name }] } }))
  const job = await begin(call('POST', `/api/plans/${plan.id}/action/apply`, { as, headers: async }))
  await newScope({ name })
  const message = `The scope ${name} is in the way`
  await ended(job, as)
  await transaction((trx) => trx.updateTable('jobs').set({ message }).where('id', '=', job.id).execute())
  expect(await read(job, as)).toMatchObject({ state: 'failed', code: 'PLAN-1', message })
  const headers = withToken((await newAccessToken(as, { privileges: [] })).token)
  const { message: shown } = await expectStatus(200, call('GET', pathOf(job), { as: null, headers }))
  expect(shown).not.toContain(name)
})

describe('a report', () => {
  test('names no row that its maker no longer sees', async () => {
    const [mine, hidden] = [await newEnterprise(), await newEnterprise()]
    const scope = await newScope({ enterprises: [mine.id] })
    const limited = { enterpriseId: mine.id, scopeId: scope.id }
    const as = await newUser({ ...limited, privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS'] })
    const strong = await newUser(limited)
    const role = await newRole({ privileges: ['SYSCONFIG_VIEW'] })
    const body = { ids: [strong.id], links: [refer('role', `/api/admin/roles/${role}`)] }
    const path = `/api/admin/enterprises/${mine.id}/users/action/changeusers`
    const job = await ended(await begin(call('POST', path, { as, body, headers: async })), as)
    const report = async () =>
      (await expectStatus(200, call('GET', hrefOf(job, 'result'), { as }))).refusals[0]
    expect(await report()).toMatchObject({ id: strong.id, name: strong.nick, code: 'GEN-15' })
    const user = await readUser(strong.id)
    const links = relinked({ links: relinked(user, 'scope') }, 'enterprise', enterpriseLink(hidden.id))
    await expectStatus(200, putUser(user, { links }))
    const { name, ...rest } = await report()
    expect(name).toBeUndefined()
    expect(rest).toMatchObject({ id: strong.id, code: 'GEN-15' })
  })

  test('is gone with the sight of its datacenter', async () => {
    const place = await many(1)
    const scope = await newScope({ datacenters: [place.datacenter], automaticAddEnterprise: true })
    const as = await newUser({ scopeId: scope.id })
    const begun = send(place, 'changeips', { filter: '', quarantine: true }, { as })
    const path = `${pathOf(await ended(await begin(begun), as))}/report`
    await expectStatus(200, call('GET', path, { as }))
    await expectStatus(200, putScope(scope, { scopeEntities: [] }))
    expect(await refusal(call('GET', path, { as }))).toEqual([404, 'JOB-0'])
  })
})

describe('a job ends', () => {
  const step = async () => (await import('#lib/request/jobs/worker.server')).workOnce()

  test('when it is stopped: what was done stays, counts in its event, and is undone alone', async () => {
    const place = await many(450)
    const job = await begin(send(place, 'changeips', { filter: '', quarantine: true }))
    await step() // the selection
    await step() // 200 rows
    const stopped = await expectStatus(200, call('POST', `${pathOf(job)}/action/stop`))
    expect(stopped).toMatchObject({ state: 'stopped', done: 200, total: 450 })
    expect(await ended(job)).toMatchObject({ state: 'stopped', done: 200 })
    expect(await refusal(call('POST', `${pathOf(job)}/action/stop`))).toEqual([409, 'JOB-1'])
    expect(await quarantined(place)).toBe(200)
    const [, event, ...others] = await eventsOf('datacenter', place.datacenter)
    expect(others).toEqual([])
    expect(event.changes.count.after).toBe('200')
    await expectStatus(200, call('POST', `/api/events/${event.id}/action/undo`))
    expect(await quarantined(place)).toBe(0)
  })

  test.each([
    ['is disabled', { active: 0 as const }, '401-UNAUTHORIZED'],
    ['loses the privilege', { role_id: 0 }, '403-FORBIDDEN'],
  ])('when its maker %s: with that code, and the event of what was done', async (_what, change, code) => {
    const place = await many(450)
    const as = await newUser()
    const poor = await newUser({ privileges: [] })
    const job = await begin(send(place, 'changeips', { filter: '', quarantine: true }, { as }))
    await step()
    await step()
    const role = await database()
      .read.selectFrom('users')
      .where('id', '=', poor.id)
      .select('role_id')
      .executeTakeFirstOrThrow()
    const set = 'role_id' in change ? role : change
    await transaction((trx) => trx.updateTable('users').set(set).where('id', '=', as.id).execute())
    await workDue()
    expect(await read(job)).toMatchObject({ state: 'failed', done: 200, code })
    const { collection } = await expectStatus(200, call('GET', '/api/jobs?state=failed&limit=1'))
    expect(collection).toMatchObject([{ id: job.id, code }])
    const [, event] = await eventsOf('datacenter', place.datacenter)
    expect(event.changes.count.after).toBe('200')
    expect(await quarantined(place)).toBe(200)
  })
})

test('three jobs of a user run at a time', async () => {
  const { claimJob } = await import('#lib/record/jobs/store.server')
  const place = await many(1)
  const as = await newUser()
  const body = { filter: '', quarantine: true }
  const jobs = [1, 2, 3, 4].map(() => () => begin(send(place, 'changeips', body, { as })))
  const made: JobDocument[] = []
  for (const make of jobs) made.push(await make())
  const other = await begin(send(place, 'changeips', body))
  const claimed: (number | undefined)[] = []
  for (let count = 0; count < 5; count += 1) claimed.push(await claimJob('another process'))
  expect(claimed).toEqual([made[0]?.id, other.id, made[1]?.id, made[2]?.id, undefined])
  await transaction((trx) => trx.deleteFrom('job_claims').execute())
  for (const job of made) expect(await ended(job, as)).toMatchObject({ state: 'done' })
})

test('how far a plan or an undo is, is shown by each process', async () => {
  const { claimJob, keepProgress, progressHere } = await import('#lib/record/jobs/store.server')
  const place = await many(1)
  const { event } = await expectStatus(
    200,
    send(place, 'changeips', { filter: '', quarantine: true }, { headers: { prefer: '' } }),
  )
  const job = await begin(call('POST', `/api/events/${event}/action/undo`, { headers: async }))
  expect(await claimJob('another process')).toBe(job.id)
  progressHere.set(job.id, { done: 4000, total: 9000 })
  await keepProgress('another process', job.id)
  progressHere.delete(job.id)
  expect(await read(job)).toMatchObject({ state: 'running', done: 4000, total: 9000 })
  await transaction((trx) => trx.deleteFrom('job_claims').execute())
  expect(await ended(job)).toMatchObject({ state: 'done', done: 1 })
})

test('a short job does not wait for the long ones of other users', async () => {
  const place = await many(2000)
  const body = { filter: '', quarantine: true }
  const long: number[] = []
  for (const as of [await newUser(), await newUser()])
    for (const _ of [1, 2, 3]) long.push((await begin(send(place, 'changeips', body, { as }))).id)
  const [quick, as] = [await many(1), await newUser()]
  const working = workDue()
  const running = () =>
    database().read.selectFrom('jobs').where('id', 'in', long).where('done', '>', 0).select('id').execute()
  while ((await running()).length < 4) await delay(1)
  const short = await begin(send(quick, 'changeips', body, { as }))
  await Promise.all([working, workDue()])
  const rows = await database()
    .read.selectFrom('jobs')
    .where('id', 'in', [...long, short.id])
    .where('state', '=', 'done')
    .orderBy('ended_at')
    .select('id')
    .execute()
  expect(rows).toHaveLength(7)
  expect(rows[0]).toEqual({ id: short.id })
})

test('a user has a hundred jobs that wait or run', async () => {
  const { jobById } = await import('#lib/record/jobs/store.server')
  const place = await many(1)
  const as = await newUser()
  const change = () => send(place, 'changeips', { filter: '', quarantine: true }, { as })
  const { id: first } = await begin(change())
  await transaction(async (trx) => {
    const { id: _, ...row } = (await jobById(trx, first)) ?? expect.fail('the job is stored')
    await trx
      .insertInto('jobs')
      .values(Array.from({ length: 99 }, () => row))
      .execute()
  })
  const refused = await change()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  expect(await begin(send(place, 'changeips', { filter: '', quarantine: true }))).toBeDefined()
  await transaction((trx) =>
    trx.updateTable('jobs').set({ state: 'stopped' }).where('user_id', '=', as.id).execute(),
  )
  expect(await begin(change())).toBeDefined()
  await workDue()
})

test('a plan and an undo run as one transaction each', async () => {
  const name = unique('Scope')
  const plan = await expectStatus(201, call('POST', '/api/plans', { body: { scopes: [{ name }] } }))
  const apply = `/api/plans/${plan.id}/action/apply`
  const job = await begin(call('POST', apply, { headers: async }))
  expect(job.operation).toBe('plan.apply')
  const done = await ended(job)
  expect(done).toMatchObject({ state: 'done' })
  expect(hrefOf(done, 'result')).toBe(`/api/plans/${plan.id}`)
  expect(await refusal(call('POST', apply, { headers: async }))).toEqual([409, 'PLAN-3'])
  const event = hrefOf(done, 'event')
  const undo = await ended(await begin(call('POST', `${event}/action/undo`, { headers: async })))
  expect(undo).toMatchObject({ operation: 'event.undo', state: 'done' })
  expect(hrefOf(undo, 'result')).toBe(hrefOf(undo, 'event'))
  expect((await expectStatus(200, call('GET', event))).links).toContainEqual(
    expect.objectContaining({ rel: 'undoneby', href: ORIGIN + hrefOf(undo, 'event') }),
  )
  expect(await refusal(call('POST', `${event}/action/undo`, { headers: async }))).toEqual([409, 'UNDO-2'])
})

describe('a plan or an undo that runs', () => {
  const ROWS = 6000

  /** The undo of a bulk change, as soon as it is known to run. */
  const running = async () => {
    const place = await many(ROWS)
    await ended(await begin(send(place, 'changeips', { filter: '', quarantine: true })))
    const [, event] = await eventsOf('datacenter', place.datacenter)
    const job = await begin(call('POST', `/api/events/${event.id}/action/undo`, { headers: async }))
    const working = workDue()
    while ((await read(job)).state === 'waiting') await delay(1)
    return { place, job, working, event }
  }

  const expectNothingDone = async ({ place, job, event }: Awaited<ReturnType<typeof running>>) => {
    expect(await read(job)).toMatchObject({ state: 'stopped' })
    expect(await quarantined(place)).toBe(ROWS)
    expect((await eventsOf('datacenter', place.datacenter)).length).toBe(2)
    expect(linkOf(await expectStatus(200, call('GET', `/api/events/${event.id}`)), 'undo')).toBeDefined()
  }

  test('stops within a second, and has done nothing', { timeout: 60_000 }, async () => {
    const one = await running()
    const began = performance.now()
    const stopped = await expectStatus(200, call('POST', `${pathOf(one.job)}/action/stop`))
    await one.working
    expect(performance.now() - began).toBeLessThan(1000)
    expect(stopped).toMatchObject({ state: 'stopped' })
    await expectNothingDone(one)
  })

  test('stops within a second where another process stopped it', { timeout: 60_000 }, async () => {
    if (database().engine === 'sqlite') return
    const one = await running()
    const began = performance.now()
    await transaction((trx) =>
      trx.updateTable('jobs').set({ state: 'stopped' }).where('id', '=', one.job.id).execute(),
    )
    await one.working
    expect(performance.now() - began).toBeLessThan(1000)
    await expectNothingDone(one)
  })
})

test('a plan that no longer fits is refused at once, and fails the job if that happens later', async () => {
  const name = unique('Scope')
  const body = { scopes: [{ name }] }
  const [one, two] = [
    await expectStatus(201, call('POST', '/api/plans', { body })),
    await expectStatus(201, call('POST', '/api/plans', { body })),
  ]
  const apply = (plan: { id: number }) =>
    call('POST', `/api/plans/${plan.id}/action/apply`, { headers: async })
  const [first, second] = [await begin(apply(one)), await begin(apply(two))]
  expect(await ended(first)).toMatchObject({ state: 'done' })
  expect(await read(second)).toMatchObject({ state: 'failed', code: 'PLAN-1' })
})

test('a job is followed to its end', async () => {
  const place = await many(450)
  const job = await begin(send(place, 'changeips', { filter: '', quarantine: true }))
  const response = await call('GET', pathOf(job), { headers: { accept: 'text/event-stream' } })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const [text] = await Promise.all([response.text(), workDue()])
  const documents = text
    .split('\n\n')
    .filter(Boolean)
    .map((message) => {
      const [event, data] = message.split('\n')
      expect(event).toBe('event: job')
      return JSON.parse(data?.replace('data: ', '') ?? '') as JobDocument
    })
  expect(documents.at(0)).toMatchObject({ id: job.id })
  expect(documents.at(-1)).toMatchObject({ state: 'done', done: 450, total: 450 })
})

test('the places of streams of jobs and of events are apart, and counted over all processes', async () => {
  const { takePlace, freePlace } = await import('#lib/record/events/stream-places.server')
  const as = await newUser()
  const job = await begin(send(await many(1), 'changeips', { filter: '', quarantine: true }, { as }))
  await workDue()
  const follow = () => call('GET', pathOf(job), { as, headers: { accept: 'text/event-stream' } })
  const places: string[] = []
  for (const kind of ['events', 'jobs'] as const)
    for (const _ of [1, 2, 3, 4, 5]) places.push(await takePlace(kind, as.id))
  expect((await follow()).status).toBe(429)
  await freePlace(places.at(-1) ?? '')
  expect(await expectStatus(200, await follow())).toContain('"state":"done"')
})

test('a user follows five jobs at a time, and a stream that ends or is left frees its place', async () => {
  const place = await many(1)
  const job = await begin(send(place, 'changeips', { filter: '', quarantine: true }))
  const follow = () => call('GET', pathOf(job), { headers: { accept: 'text/event-stream' } })
  const open = await Promise.all([1, 2, 3, 4, 5].map(follow))
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const refused = await follow()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  await open.pop()?.body?.cancel()
  open.push(await follow())
  expect(open.at(-1)?.status).toBe(200)
  await Promise.all([...open.map((response) => response.text()), workDue()])
  const after = await follow()
  expect(await expectStatus(200, after)).toContain('"state":"done"')
})

test('ended jobs are kept for seven days', async () => {
  const { removeOldJobs } = await import('#lib/record/jobs/store.server')
  const job = await ended(await begin(send(await many(1), 'changeips', { filter: '', quarantine: true })))
  const age = (days: number) =>
    transaction((trx) =>
      trx
        .updateTable('jobs')
        .set({ ended_at: Date.now() - days * 24 * 60 * 60 * 1000 })
        .where('id', '=', job.id)
        .execute(),
    )
  await age(6.9)
  await removeOldJobs()
  expect((await read(job)).id).toBe(job.id)
  await age(7.1)
  await removeOldJobs()
  expect(await refusal(call('GET', pathOf(job)))).toEqual([404, 'JOB-0'])
})
