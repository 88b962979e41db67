import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { requestOfThisMachine } from '#lib/ground/http/client-address.server'
import { isSettled } from '#lib/record/events/commit-order.server'
import { cursorOf, eventsAfter } from '#lib/record/events/feed.server'
import { insertEvent } from '#lib/record/events/record.server'
import { removeEventsBefore } from '#lib/record/events/retention.server'
import { sealEvents } from '#lib/record/events/seals.server'
import { newAccessToken, tokensOf, withToken } from '#lib/tools/testing/access-tokens'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, ofEnterprise, putScope } from '#lib/tools/testing/scopes'

type Message = { id?: string; event?: string; data?: { entityName: string; id: number } }

const messageIn = (block: string): Message => {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'))
  const { data, ...rest } = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
  return { ...rest, ...(data && { data: JSON.parse(data) }) }
}

type Opening = { as?: User; query?: string; headers?: Record<string, string> }

/** A new stream leaves out earlier events, once their order is final: transactions of other tests may delay this. */
const settled = () =>
  vi.waitFor(async () => {
    const { engine, read } = database()
    const open = await read
      .selectFrom('events')
      .where(({ not }) => not(isSettled(engine)))
      .select('id')
      .execute()
    expect(open).toEqual([])
  }, 15_000)

/** An open stream: its messages one by one, and its text so far. */
async function follow({ as, query = '', headers = {} }: Opening = {}) {
  await settled()
  const response = await call('GET', `/api/events/stream${query}`, { ...(as && { as }), headers })
  if (response.status !== 200) await expectStatus(200, response)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(() => reader.cancel())
  const decoder = new TextDecoder()
  let text = ''
  const blocks: string[] = []
  const more = async (): Promise<boolean> => {
    const { value, done } = await reader.read()
    text += decoder.decode(value)
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    blocks.push(...parts)
    return !done
  }
  const block = async (): Promise<string | undefined> => {
    while (blocks.length === 0) if (!(await more())) return undefined
    return blocks.shift()
  }
  const first = messageIn((await block()) ?? '')
  return {
    /** The cursor of the beginning. */
    first: first.id,
    block,
    close: () => reader.cancel(),
    /** The next event. */
    next: async (): Promise<Message> => {
      for (;;) {
        const text = await block()
        if (text === undefined) throw new Error('the stream has ended')
        const message = messageIn(text)
        if (message.data) return message
      }
    },
  }
}

const nameOf = ({ data }: Message) => data?.entityName

afterEach(() => {
  vi.useRealTimers()
})

describe('the stream of events (docs/api/events.md, "The stream of events")', () => {
  test('starts now, and sends each event as its document, with the entity and the action', async () => {
    await newScope()
    const stream = await follow({ query: '?entity=scope' })
    const scope = await newScope()
    const name = unique('Renamed')
    await expectStatus(200, putScope(scope, { name }))
    const [created, renamed] = [await stream.next(), await stream.next()]
    expect([created.event, nameOf(created)]).toEqual(['scope.create', scope.name])
    expect([renamed.event, nameOf(renamed)]).toEqual(['scope.update', name])
    expect(renamed.data).toEqual(await expectStatus(200, call('GET', `/api/events/${renamed.data?.id}`)))
  })

  test('continues after Last-Event-ID, or else after `after`', async () => {
    const stream = await follow()
    const names: string[] = []
    for (let count = 0; count < 3; count += 1) names.push((await newScope()).name)
    const ids = names.map(() => '')
    for (const index of ids.keys()) ids[index] = (await stream.next()).id ?? ''
    await stream.close()
    const after = await follow({ query: `?after=${ids[0]}` })
    expect([await after.next(), await after.next()].map(nameOf)).toEqual(names.slice(1))
    const resumed = await follow({
      query: `?after=${stream.first}`,
      headers: { 'last-event-id': ids[1] ?? '' },
    })
    expect(nameOf(await resumed.next())).toBe(names[2])
  })

  test('takes the filters of the list', async () => {
    const [name, as] = [unique('Wanted'), await newUser()]
    const from = new Date().toISOString()
    const query = `?entity=scope&action=create&user=${as.id}&enterprise=${as.enterpriseId}&has=wanted&from=${from}`
    const stream = await follow({ query })
    const post = (body: object, by: User = as) => call('POST', '/api/admin/scopes', { as: by, body })
    await expectStatus(201, post({ name: unique('Wanted') }, await newUser()))
    const other = await expectStatus(201, post({ name: unique('Other') }))
    await expectStatus(200, putScope(other, { name: unique('Wanted') }))
    await expectStatus(201, post({ name }))
    expect(nameOf(await stream.next())).toBe(name)
  })

  test('shows a limited caller the visible events of that moment', async () => {
    const [own, foreign] = [await newEnterprise(), await newEnterprise()]
    const scope = await newScope({ enterprises: [own.id] })
    const privileges = ['EVENTLOG_VIEW_ALL'] as const
    const as = await newUser({ enterpriseId: own.id, scopeId: scope.id, privileges })
    const actors = [
      await newUser({ enterpriseId: foreign.id }),
      await newUser({ enterpriseId: own.id }),
      await newUser({ enterpriseId: foreign.id }),
    ]
    const stream = await follow({ as, query: '?entity=enterprise' })
    const made: string[] = []
    const make = async (actor: User | undefined) => {
      const name = unique('Seen')
      made.push(name)
      const enterprise = actor === actors[1] ? own : foreign
      const path = `/api/admin/enterprises/${enterprise.id}`
      const document = await expectStatus(200, call('GET', path))
      await expectStatus(200, call('PUT', path, { as: actor ?? actors[0], body: { ...document, name } }))
    }
    await make(actors[0])
    await make(actors[1])
    expect(nameOf(await stream.next())).toBe(made[1])
    const enterprises = [own.id, foreign.id].map(ofEnterprise)
    await expectStatus(200, putScope(scope, { scopeEntities: enterprises }))
    await make(actors[2])
    expect(nameOf(await stream.next())).toBe(made[2])
  })

  test.each([
    ['is locked', { locked: 1 }],
    ['is disabled', { active: 0 }],
    ['changes their password', { token_epoch: 99 }],
    ['loses the privilege', { role_id: 0 }],
  ] as const)('ends without another event when the user %s', async (_, change) => {
    const as = await newUser()
    const stream = await follow({ as })
    const bare = await newUser({ privileges: [] })
    const { role_id } = await database()
      .read.selectFrom('users')
      .where('id', '=', bare.id)
      .select('role_id')
      .executeTakeFirstOrThrow()
    await transaction((trx) =>
      trx
        .updateTable('users')
        .set('role_id' in change ? { role_id } : change)
        .where('id', '=', as.id)
        .execute(),
    )
    await newScope()
    for (let block = await stream.block(); block !== undefined; block = await stream.block())
      expect(block).not.toContain('"entityType":"scope"')
  })

  test('opens with an access token, and ends without another event when the token is revoked', async () => {
    const as = await newUser()
    const { id, token } = await newAccessToken(as, { privileges: ['EVENTLOG_VIEW_ALL'] })
    const response = await call('GET', '/api/events/stream', { as: null, headers: withToken(token) })
    expect(response.headers.get('x-service-token')).toBeNull()
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    onTestFinished(() => reader.cancel())
    const { name } = await newScope()
    let text = ''
    const read = async () => {
      const { value, done } = await reader.read()
      text += new TextDecoder().decode(value)
      return !done
    }
    while (!text.includes(name)) expect(await read()).toBe(true)
    await expectStatus(204, call('DELETE', `${tokensOf(as)}/${id}`, { as }))
    const later = await newScope()
    while (await read());
    expect(text).not.toContain(later.name)
  })

  test('ends with the token that opened it, and sends a comment where nothing happens', async () => {
    const as = await newUser()
    const login = await call('GET', '/api/login', { as })
    const token = login.headers.get('x-service-token') ?? ''
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const query = '?entity=device'
    const headers = { authorization: `Token ${token}` }
    const response = await call('GET', `/api/events/stream${query}`, { as: null, headers })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    onTestFinished(() => reader.cancel())
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toMatch(/^: .*\nid: \S+\n\n$/)
    const comment = read()
    // The stream reads the database before it waits.
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(15_000)
      expect(await Promise.race([comment, Promise.resolve('')])).toMatch(/^: .*\nid: \S+\n\n$/)
    }, 15_000)
    vi.setSystemTime(Date.now() + 31 * 60 * 1000)
    let hasEnded = false
    const toEnd = async () => {
      while (!(await reader.read()).done);
      hasEnded = true
    }
    const ended = toEnd()
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(15_000)
      expect(hasEnded).toBe(true)
    }, 15_000)
    await ended
  })

  test('is refused for a malformed cursor, and for a sixth of one user until one is closed', async () => {
    const as = await newUser()
    const path = '/api/events/stream'
    for (const cursor of ['x', 'MC4w=', 'MC4x.', Buffer.from('1.2.3').toString('base64url')])
      expect(await refusal(call('GET', `${path}?after=${cursor}`, { as }))).toEqual([400, 'GEN-22'])
    const headers = { 'last-event-id': 'MC4xx' }
    expect(await refusal(call('GET', path, { as, headers }))).toEqual([400, 'GEN-22'])
    const streams = [await follow({ as })]
    while (streams.length < 5) streams.push(await follow({ as }))
    // A refused query takes no place, nor does HEAD.
    const sixth = await call('GET', path, { as })
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refusal(Promise.resolve(sixth))).toEqual([429, '429-TOO-MANY-REQUESTS'])
    await streams[0]?.close()
    for (const entity of ['none', 'none'])
      expect(await refusal(call('GET', `${path}?entity=${entity}`, { as }))).toEqual([400, 'GEN-22'])
    await expectStatus(200, call('HEAD', path, { as }))
    await follow({ as })
  })

  test('is 410 after a place whose events are no longer kept, and after one of the future', async () => {
    const stream = await follow()
    await newScope()
    const { id } = await stream.next()
    const future = cursorOf({ transaction: 1e14, event: 1e14 })
    expect(await refusal(call('GET', `/api/events/stream?after=${future}`))).toEqual([410, 'EVENT-2'])
    await transaction(async (trx) => {
      await trx.updateTable('events').set({ moment: 1, timestamp: 1 }).execute()
      await trx.updateTable('event_seals').set({ newest: 1 }).execute()
    })
    await vi.waitFor(
      async () => {
        await sealEvents()
        await removeEventsBefore(2)
        const { count } = await database()
          .read.selectFrom('events')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        expect(Number(count)).toBe(0)
      },
      { timeout: 15_000 },
    )
    expect(await refusal(call('GET', `/api/events/stream?after=${stream.first}`))).toEqual([410, 'EVENT-2'])
    const scope = await newScope()
    const resumed = await follow({ query: `?after=${id}` })
    expect(nameOf(await resumed.next())).toBe(scope.name)
  })
})

describe.runIf(process.env.TEST_ENGINE === 'postgres')('in PostgreSQL', () => {
  test('a slow transaction with a lower number is not passed', async () => {
    const [began, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const request = requestOfThisMachine()
    const stream = await follow({ query: '?entity=scope' })
    const slow = transaction(async (trx) => {
      const entity = { type: 'scope', name: 'slow' } as const
      await insertEvent(trx, { request, action: 'create', by: undefined, entity })
      began.resolve()
      await finish.promise
    })
    await began.promise
    const quick = await newScope()
    const listed = await expectStatus(200, call('GET', `/api/events?entity=scope&entityid=${quick.id}`))
    const final = await eventsAfter(database().read, { transaction: -1, event: 0 }, 100_000)
    expect(final.map(({ id }) => id)).not.toContain(listed.collection[0].id)
    finish.resolve()
    await slow
    expect([await stream.next(), await stream.next()].map(nameOf)).toEqual(['slow', quick.name])
  })
})
