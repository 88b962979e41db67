import type { lookup } from 'node:dns'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { database, transaction } from '#lib/db/db.server'
import { publicLookup } from '#lib/people/webhooks/destination.server'
import { dispatch } from '#lib/people/webhooks/dispatch.server'
import { post } from '#lib/people/webhooks/post.server'
import { webhookOutbox } from '#lib/people/webhooks/transport.server'
import { insertEvent } from '#lib/record/events/record.server'
import {
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  router,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { newDatacenter } from '#lib/tools/testing/nat'
import { forgetWebhooks, type Receiver, withReceiver } from '#lib/tools/testing/receiver'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, scopePath } from '#lib/tools/testing/scopes'
import { changeUser, withSettings } from '#lib/tools/testing/session'
import { settled } from '#lib/tools/testing/settled'
import { newWebhook, WEBHOOKS, webhookBody } from '#lib/tools/testing/webhooks'

beforeEach(async () => {
  await router()
  await forgetWebhooks()
})

afterEach(() => {
  vi.useRealTimers()
})

const HOUR = 3_600_000

const active = (receiver: Receiver, fields: object = {}, as?: User) =>
  newWebhook({ url: receiver.url, active: true, ...fields }, as)

const typesOf = (all: { body: string }[]) => all.map(({ body }) => JSON.parse(body).type)

const deliveriesOf = async (id: number, query = '', as?: User) =>
  (await expectStatus(200, call('GET', `${WEBHOOKS}/${id}/deliveries${query}`, { ...(as && { as }) })))
    .collection

/** Advances the clock to the next attempt. */
async function untilNext(id: number): Promise<number> {
  const [{ next }] = await deliveriesOf(id)
  const wait = Date.parse(next) - Date.now()
  vi.setSystemTime(Date.parse(next))
  return wait
}

describe('a delivery', () => {
  test('is the event, signed by Standard Webhooks', async () => {
    await withReceiver(async (receiver) => {
      const { id, secret } = await active(receiver)
      const scope = await newScope()
      const [one, ...more] = await receiver.received()
      expect(more).toEqual([])
      const { headers = {}, body = '' } = one ?? {}
      expect(headers['content-type']).toBe('application/json')
      const message = new Webhook(secret).verify(body, headers as Record<string, string>)
      const event = await expectStatus(200, call('GET', `/api/events?entity=scope&entityid=${scope.id}`))
      const data = JSON.parse(JSON.stringify(event.collection[0]).replaceAll(ORIGIN, 'http://127.0.0.1:3000'))
      expect(message).toEqual({ type: 'scope.create', timestamp: data.timestamp, data })
      const [delivery] = await deliveriesOf(id)
      expect(delivery).toMatchObject({
        event: 'scope.create',
        status: 'delivered',
        tries: 1,
        answerStatus: 204,
      })
      expect(delivery).not.toHaveProperty('next')
      expect(delivery.links).toContainEqual(
        expect.objectContaining({ rel: 'event', href: event.collection[0].links[0].href }),
      )
      expect(() =>
        new Webhook(`whsec_${'A'.repeat(43)}=`).verify(body, headers as Record<string, string>),
      ).toThrow()
    })
  })

  test('is sent for the events of the patterns, once, in order, and not for earlier ones', async () => {
    await withReceiver(async (receiver) => {
      const before = await newScope()
      await active(receiver, { events: ['scope.update', '*.delete'] })
      const scope = await newScope()
      await expectStatus(200, call('PUT', scopePath(scope.id), { body: { ...scope, name: unique('Scope') } }))
      await expectStatus(204, call('DELETE', scopePath(scope.id)))
      await expectStatus(204, call('DELETE', scopePath(before.id)))
      await settled(database())
      await Promise.all([dispatch(), dispatch()])
      expect(typesOf(await receiver.received()).sort()).toEqual([
        'scope.delete',
        'scope.delete',
        'scope.update',
      ])
      expect(await receiver.received()).toEqual([])
    })
  })

  test('does not come for a change that was refused or rolled back, or while the webhook is inactive', async () => {
    await withReceiver(async (receiver) => {
      const { id, secret: _secret, ...webhook } = await active(receiver, { events: ['*'] })
      expect(typesOf(await receiver.received())).toEqual([])
      const { name } = await newScope()
      expect(typesOf(await receiver.received())).toEqual(['scope.create'])
      expect(await refusal(call('POST', '/api/admin/scopes', { body: { name, links: [] } }))).toEqual([
        409,
        'SCOPE-0',
      ])
      const undone = transaction(async (trx) => {
        const entity = { type: 'scope', id: 1, name: 'undone' } as const
        await insertEvent(trx, { action: 'update', by: undefined, entity })
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await receiver.received()).toEqual([])
      const put = (is: boolean) =>
        expectStatus(200, call('PUT', `${WEBHOOKS}/${id}`, { body: { ...webhook, active: is } }))
      await put(false)
      const unseen = await newScope()
      expect(await receiver.received()).toEqual([])
      await put(true)
      const last = await newScope()
      // Files that set the clock forward leave events of the future, which come too.
      const scopes = (await receiver.received())
        .map(({ body }) => JSON.parse(body))
        .filter(({ type }) => type === 'scope.create')
      const ids = scopes.map(({ data }) => data.entityId)
      expect(ids.filter((id) => [unseen.id, last.id].includes(id))).toEqual([last.id])
    })
  })

  test('waits for transactions that are still running, so that none is left out', async () => {
    if (database().engine !== 'postgres') return
    await withReceiver(async (receiver) => {
      await active(receiver, { events: ['scope.*'] })
      const first = Promise.withResolvers<void>()
      const entity = { type: 'scope', id: 1, name: 'slow' } as const
      const begun = Promise.withResolvers<void>()
      const slow = transaction(async (trx) => {
        await insertEvent(trx, { action: 'update', by: undefined, entity })
        begun.resolve()
        await first.promise
      })
      await begun.promise
      await newScope()
      await dispatch()
      expect(await database().read.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
      first.resolve()
      await slow
      expect(typesOf(await receiver.received()).sort()).toEqual(['scope.create', 'scope.update'])
    })
  })

  test('has the creator’s visibility at that moment', async () => {
    const { id: enterpriseId } = await newEnterprise()
    const [mine, other] = [await newDatacenter(), await newDatacenter()]
    const scopeOf = async (...datacenters: number[]) =>
      (await newScope({ enterprises: [enterpriseId], datacenters })).id
    const narrow = await scopeOf(mine.id)
    const wide = await scopeOf(mine.id, other.id)
    const creator = await newUser({ enterpriseId, scopeId: narrow })
    const colleague = await newUser({ enterpriseId, scopeId: wide })
    const rename = ({ id }: { id: number }) =>
      expectStatus(
        200,
        call('PUT', `/api/admin/datacenters/${id}`, {
          as: colleague,
          body: { name: unique('Datacenter'), location: '' },
        }),
      )
    await withReceiver(async (receiver) => {
      const { id } = await active(receiver, { events: ['datacenter.*'] }, creator)
      await rename(other)
      await rename(mine)
      const [one, ...more] = await receiver.received()
      expect(more).toEqual([])
      expect(JSON.parse(one?.body ?? '').data.entityId).toBe(mine.id)
      await changeUser(creator, { scope_id: wide })
      await rename(other)
      expect(await receiver.received()).toHaveLength(1)
      await rename(other)
      await settled(database())
      await dispatch()
      await changeUser(creator, { scope_id: narrow })
      expect(await receiver.received()).toEqual([])
      const [last] = await deliveriesOf(id, '?asc=false')
      expect(last).toMatchObject({
        status: 'failed',
        tries: 0,
        problem: 'The creator of the webhook may not see this event',
      })
      for (const columns of [{ active: 0 }, { active: 1, locked: 1 }] as const) {
        await changeUser(creator, columns)
        await rename(mine)
        expect(await receiver.received()).toEqual([])
      }
      expect(await deliveriesOf(id)).toHaveLength(3)
    })
  })

  test('is not sent for a creator who may not view events', async () => {
    const privileges = allPrivileges.filter((name) => !name.startsWith('EVENTLOG'))
    const creator = await newUser({ privileges })
    await withReceiver(async (receiver) => {
      await active(receiver, {}, creator)
      await newScope({}, creator)
      expect(await receiver.received()).toEqual([])
    })
  })
})

describe('a receiver that fails', () => {
  test('is tried again with growing waits, with one id and a new time, for 24 hours', async () => {
    await withReceiver(async (receiver) => {
      const { id } = await active(receiver)
      vi.useFakeTimers({ toFake: ['Date'] })
      receiver.answer((_request, response) => void response.writeHead(500).end('out of order'))
      await newScope()
      const attempts = [...(await receiver.received())]
      const waits: number[] = []
      while ((await deliveriesOf(id, '?status=pending')).length > 0) {
        waits.push((await untilNext(id)) / 1000)
        attempts.push(...(await receiver.received()))
      }
      const later = Array.from({ length: 5 }, () => 14_400)
      expect(waits).toEqual([5, 30, 120, 600, 3600, ...later])
      expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(attempts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(11)
      const [{ links, ...delivery }] = await deliveriesOf(id)
      expect(delivery).toMatchObject({
        status: 'failed',
        tries: 11,
        answerStatus: 500,
        problem: 'The receiver answered 500',
      })
      expect(delivery).not.toHaveProperty('next')
      const path = new URL(links[0].href).pathname
      const whole = await expectStatus(200, call('GET', path))
      expect(whole).toMatchObject({
        answer: 'out of order',
        request: attempts[0]?.body,
        message: attempts[0]?.headers['webhook-id'],
      })
    })
  })

  test('by a redirect is not followed', async () => {
    await withReceiver(async (receiver) => {
      const { id } = await active(receiver)
      receiver.answer(
        (_request, response) => void response.writeHead(307, { location: `${receiver.url}/other` }).end(),
      )
      await newScope()
      expect((await receiver.received()).map(({ path }) => path)).toEqual(['/hook'])
      expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', tries: 1, answerStatus: 307 }])
    })
  })

  test('for three days is stopped, with an event and a mail to the creator', async () => {
    const email = newAddress()
    const creator = await newUser({ email, locale: 'es_ES' })
    await withMailbox(async (mailbox) =>
      withReceiver(async (receiver) => {
        const { id, name, secret: _secret, ...webhook } = await active(receiver, {}, creator)
        vi.useFakeTimers({ toFake: ['Date'] })
        receiver.answer((_request, response) => void response.writeHead(503).end())
        const began = Date.now()
        await newScope()
        await receiver.received()
        const read = () => expectStatus(200, call('GET', `${WEBHOOKS}/${id}`))
        expect(await read()).toMatchObject({ active: true, failingSince: expect.any(String) })
        vi.setSystemTime(began + 72 * HOUR - 60_000)
        await newScope()
        await receiver.received()
        expect(await read()).toMatchObject({ active: true })
        vi.setSystemTime(began + 73 * HOUR)
        await newScope()
        await receiver.received()
        expect(await read()).toMatchObject({ active: false })
        const [event] = (
          await expectStatus(200, call('GET', `/api/events?entity=webhook&entityid=${id}&action=stop`))
        ).collection
        expect(event).toMatchObject({
          entityName: name,
          changes: { active: { before: 'true', after: 'false' } },
        })
        expect(event).not.toHaveProperty('user')
        const [mail] = await mailbox.of(email)
        expect(mail?.subject).toBe('Un webhook se ha detenido')
        expect(mail?.text).toContain(name)
        // Working again: the next success counts from now.
        receiver.answer((_request, response) => void response.writeHead(200).end())
        await expectStatus(
          200,
          call('PUT', `${WEBHOOKS}/${id}`, { body: { ...webhook, id, name, active: true } }),
        )
        await newScope()
        expect((await receiver.received()).length).toBeGreaterThan(0)
        expect(await read()).not.toHaveProperty('failingSince')
      }),
    )
  })

  test('does not hold up others', async () => {
    await withReceiver(async (receiver) => {
      const slow = await active(receiver, { url: `${receiver.url}/slow`, events: ['scope.create'] })
      receiver.answer((request, response) => void (request.url === '/hook' && response.writeHead(204).end()))
      for (let index = 0; index < 6; index += 1) await newScope()
      await settled(database())
      await dispatch()
      const blocked = receiver.next()
      void webhookOutbox.sendDue()
      await blocked
      const quick = await active(receiver, { events: ['enterprise.*'] })
      await expectStatus(
        201,
        call('POST', '/api/admin/enterprises', {
          body: { name: unique('Enterprise'), links: [{ rel: 'scope', href: scopePath(1) }] },
        }),
      )
      await settled(database())
      await dispatch()
      void webhookOutbox.sendDue()
      await vi.waitFor(
        async () => expect(await deliveriesOf(quick.id, '?status=delivered')).toHaveLength(1),
        15_000,
      )
      expect(await deliveriesOf(slow.id, '?status=pending')).toHaveLength(6)
    })
  })

  /** Webhooks of one creator for an event of every new scope, to a receiver that stays silent. */
  async function silent(receiver: Receiver, count: number, creator: User): Promise<number[]> {
    const ids: number[] = []
    for (let index = 0; index < count; index += 1)
      ids.push(
        (await active(receiver, { url: `${receiver.url}/silent`, events: ['scope.create'] }, creator)).id,
      )
    receiver.answer((request, response) => void (request.url === '/hook' && response.writeHead(204).end()))
    return ids
  }

  /** Starts the deliveries that are due, and waits for the first request. */
  async function begin(receiver: Receiver): Promise<void> {
    await settled(database())
    await dispatch()
    const next = receiver.next()
    void webhookOutbox.sendDue()
    await next
  }

  test('and takes all places of its user leaves those of other users free', async () => {
    const [noisy, other] = [await newUser(), await newUser()]
    await withReceiver(async (receiver) => {
      await silent(receiver, 40, noisy)
      for (let index = 0; index < 4; index += 1) await newScope()
      await begin(receiver)
      const { id } = await active(receiver, { events: ['scope.create'] }, other)
      await newScope()
      await begin(receiver)
      await vi.waitFor(
        async () => expect(await deliveriesOf(id, '?status=delivered')).toHaveLength(1),
        15_000,
      )
    })
  })

  test('and has failed before leaves other webhooks of its user their places', async () => {
    const user = await newUser()
    await withReceiver(async (receiver) => {
      const ids = await silent(receiver, 40, user)
      await transaction((trx) =>
        trx.updateTable('webhooks').set({ failing_since: Date.now() }).where('id', 'in', ids).execute(),
      )
      await newScope()
      await begin(receiver)
      const { id } = await active(receiver, { events: ['scope.create'] }, user)
      await newScope()
      await begin(receiver)
      await vi.waitFor(
        async () => expect(await deliveriesOf(id, '?status=delivered')).toHaveLength(1),
        15_000,
      )
    })
  })

  test('a delivery that a dead process had claimed is sent by another one', async () => {
    await withReceiver(async (receiver) => {
      await active(receiver)
      await newScope()
      await settled(database())
      await dispatch()
      vi.useFakeTimers({ toFake: ['Date'] })
      await transaction((trx) =>
        trx
          .updateTable('webhook_deliveries')
          .set({ due_at: Date.now() + 60_000 })
          .execute(),
      )
      expect(await receiver.received()).toEqual([])
      vi.setSystemTime(Date.now() + 60_001)
      expect(await receiver.received()).toHaveLength(1)
    })
  })
})

describe('a test', () => {
  const send = (id: number, as?: User) => call('POST', `${WEBHOOKS}/${id}/action/test`, { ...(as && { as }) })

  test('sends an event of its own at once, also to an inactive webhook, and shows the answer', async () => {
    await withReceiver(async (receiver) => {
      const { id, secret } = await active(receiver, { active: false, events: ['user.*'] })
      receiver.answer((_request, response) => void response.writeHead(200).end('thanks'))
      const delivery = await expectStatus(200, send(id))
      expect(delivery).toMatchObject({
        event: 'webhook.test',
        status: 'delivered',
        tries: 1,
        answer: 'thanks',
      })
      const [one, ...more] = await receiver.received()
      expect(more).toEqual([])
      expect(one?.body).toBe(delivery.request)
      expect(
        new Webhook(secret).verify(one?.body ?? '', one?.headers as Record<string, string>),
      ).toMatchObject({ type: 'webhook.test', data: { entityId: id, user: 'admin' } })
      const path = new URL(delivery.links[0].href).pathname
      expect(await expectStatus(200, call('GET', path))).toEqual(delivery)
      const xml = await call('GET', path, { headers: { accept: 'application/xml' } })
      expect(await xml.text()).toContain('<status>delivered</status>')
    })
  })

  test('that fails is not repeated, and does not count against the webhook', async () => {
    await withReceiver(async (receiver) => {
      const { id } = await active(receiver)
      receiver.answer((request) => request.socket.destroy())
      const delivery = await expectStatus(200, send(id))
      expect(delivery).toMatchObject({ status: 'failed', tries: 1, problem: 'The connection was reset' })
      expect(delivery).not.toHaveProperty('next')
      expect(await expectStatus(200, call('GET', `${WEBHOOKS}/${id}`))).not.toHaveProperty('failingSince')
    })
  })

  test('of a webhook whose creator is locked sends nothing', async () => {
    const creator = await newUser()
    await withReceiver(async (receiver) => {
      const { id } = await active(receiver, {}, creator)
      await changeUser(creator, { locked: 1 })
      const delivery = await expectStatus(200, send(id))
      expect(delivery).toMatchObject({
        status: 'failed',
        tries: 0,
        problem: 'The creator of the webhook is deleted, disabled or locked',
      })
      expect(await receiver.received()).toEqual([])
    })
  })

  test('needs the creator’s privileges; other callers see neither request nor answer, nor hidden events', async () => {
    const creator = await newUser()
    const enterprise = await newEnterprise()
    const narrow = await newScope({ enterprises: [enterprise.id] })
    const limited = await newUser({ enterpriseId: enterprise.id, scopeId: narrow.id })
    const reader = await newUser({ privileges: ['SYSCONFIG_VIEW', 'EVENTLOG_VIEW_ALL'] })
    const operator = await newUser({ privileges: ['SYSCONFIG_VIEW'], enterpriseId: creator.enterpriseId })
    await withReceiver(async (receiver) => {
      const { id } = await active(receiver, {}, creator)
      expect(await refusal(send(id, limited))).toEqual([403, 'GEN-15'])
      const { id: delivery } = await expectStatus(200, send(id, creator))
      expect(await deliveriesOf(id, '', limited)).toEqual([])
      const path = `${WEBHOOKS}/${id}/deliveries/${delivery}`
      expect(await refusal(call('GET', path, { as: limited }))).toEqual([404, 'WEBHOOKDELIVERY-0'])
      const seen = await expectStatus(200, call('GET', path, { as: reader }))
      expect(seen).toMatchObject({ event: 'webhook.test', status: 'delivered' })
      for (const field of ['request', 'answer']) expect(seen).not.toHaveProperty(field)
      expect(await deliveriesOf(id, '', operator)).toEqual([])
    })
  })
})

describe('an address that is not public', () => {
  type Resolve = typeof lookup
  /** Answers each question with the next of these addresses. */
  const resolver = (...answers: string[]) => {
    let asked = 0
    const resolve = (_name: string, _options: object, done: (error: null, addresses: object[]) => void) => {
      const address = answers[Math.min(asked, answers.length - 1)] ?? ''
      asked += 1
      done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
    }
    return resolve as unknown as Resolve
  }
  const message = { id: 'msg_1', body: '{}', secret: `whsec_${Buffer.alloc(32).toString('base64')}` }

  test('that a name resolves to is refused at the connection (DNS rebinding)', async () => {
    await withReceiver(async (receiver) => {
      const { port } = new URL(receiver.url)
      const url = `https://rebinding.example.com:${port}/`
      let asked = 0
      const resolve = resolver('127.0.0.1')
      const counting = ((...given: Parameters<typeof resolve>) => {
        asked += 1
        return resolve(...given)
      }) as Resolve
      // The address was public when the webhook was created, but it is resolved again at each connection.
      for (const attempt of [1, 2]) {
        await expect(post(url, message, publicLookup(counting))).rejects.toThrow(
          'rebinding.example.com resolves to 127.0.0.1, which is not public',
        )
        expect(asked).toBe(attempt)
      }
      expect(await receiver.received()).toEqual([])
    })
  })

  const isReached = (address: string): Promise<boolean> =>
    new Promise((done) =>
      publicLookup(resolver(address))('hooks.example.com', { all: true }, (error) => done(error === null)),
    )

  test.each([
    '8.8.8.8',
    '192.0.1.1',
    '198.17.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2a00:1450::1',
    '3ffe::1',
  ])('%s is public', async (address) => {
    expect(await isReached(address)).toBe(true)
    await expectStatus(
      201,
      call('POST', WEBHOOKS, {
        body: webhookBody({ url: `https://${address.includes(':') ? `[${address}]` : address}/` }),
      }),
    )
  })

  test.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '127.0.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    // Unspecified, loopback, IPv4-compatible, mapped, translated, NAT64.
    '::',
    '::1',
    '::8.8.8.8',
    '::a00:1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::a00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    // Discard, not given out, segment routing, unique local, link-local, site-local, multicast.
    '100::1',
    '200::1',
    '1fff:ffff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
    // Within 2000::/3: Teredo, benchmarks, AMT, AS112, ORCHID, documentation, 6to4.
    '2001::1',
    '2001:0:808:808::1',
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2002:a00:1::',
    '2002:808:808::1',
    '2620:4f:8000::1',
    '3fff::1',
    '3fff:fff::1',
  ])('%s is refused', async (address) => {
    await expect(
      post('https://hooks.example.com/', message, publicLookup(resolver(address))),
    ).rejects.toThrow('not public')
    const url = `https://${address.includes(':') ? `[${address}]` : address}/`
    expect(await refusal(call('POST', WEBHOOKS, { body: webhookBody({ url }) }))).toEqual([400, 'WEBHOOK-2'])
  })

  test('beside a public one refuses both', async () => {
    const both = ((_name: string, _options: object, done: (error: null, addresses: object[]) => void) =>
      done(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ])) as unknown as Resolve
    await expect(post('https://hooks.example.com/', message, publicLookup(both))).rejects.toThrow(
      'not public',
    )
  })

  test('in the address itself is refused even if it was stored', async () => {
    const { id } = await withSettings({ WEBHOOK_ALLOW: ['127.0.0.1'] }, () =>
      newWebhook({ url: 'http://127.0.0.1:9/' }),
    )
    const delivery = await expectStatus(200, call('POST', `${WEBHOOKS}/${id}/action/test`))
    expect(delivery).toMatchObject({ status: 'failed', problem: expect.stringMatching(/^WEBHOOK-2/) })
    expect(
      await refusal(call('PUT', `${WEBHOOKS}/${id}`, { body: webhookBody({ url: 'http://127.0.0.1:9/' }) })),
    ).toEqual([400, 'WEBHOOK-2'])
  })
})
