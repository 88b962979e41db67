import { describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { database, transaction } from '#lib/db/db.server'
import { call, codesOf, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { connect, register, signedCall } from '#lib/tools/testing/oauth'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'
import { withSettings } from '#lib/tools/testing/session'
import { newWebhook, WEBHOOKS, webhookBody } from '#lib/tools/testing/webhooks'

const read = (id: number) => expectStatus(200, call('GET', `${WEBHOOKS}/${id}`))
const eventsOf = async (id: number) =>
  (await expectStatus(200, call('GET', `/api/events?entity=webhook&entityid=${id}`))).collection

describe('a webhook', () => {
  test('is created with a secret that is shown once', async () => {
    const body = webhookBody({ events: ['scope.*', '*.delete', '*', 'user.sign-in', 'scope.*'] })
    const created = await call('POST', WEBHOOKS, { body })
    expect(created.headers.get('cache-control')).toBe('no-store')
    const { secret, ...made } = await expectStatus(201, created)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made).toMatchObject({ ...body, events: ['scope.*', '*.delete', '*', 'user.sign-in'] })
    expect(await read(made.id)).toEqual(made)
    const { collection } = await expectStatus(200, call('GET', `${WEBHOOKS}?has=${made.name}`))
    expect(collection).toEqual([made])
  })

  test('keeps its secret encrypted, and in no event', async () => {
    const { id, secret } = await newWebhook()
    const rotated = await expectStatus(200, call('POST', `${WEBHOOKS}/${id}/action/rotatesecret`))
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    const rows = await database().read.selectFrom('webhooks').where('id', '=', id).selectAll().execute()
    const written = await database()
      .read.selectFrom('events')
      .where('entity_id', '=', id)
      .selectAll()
      .execute()
    for (const part of [secret, rotated.secret])
      expect(JSON.stringify([rows, written])).not.toContain(part.slice(6, 40))
    const [rotation, creation] = (await eventsOf(id)).reverse()
    expect(rotation).toMatchObject({ action: 'rotate-secret', changes: { secret: { after: 'changed' } } })
    expect(creation.action).toBe('create')
    expect(creation.changes.secret).toEqual({ after: 'changed' })
  })

  test('shows in events the origin of its address alone', async () => {
    const {
      id,
      secret: _secret,
      ...made
    } = await newWebhook({ url: 'https://hooks.example.com:8443/AAA?t=BBB#CCC' })
    await expectStatus(
      200,
      call('PUT', `${WEBHOOKS}/${id}`, { body: { ...made, url: 'https://hooks.example.com:8443/DDD' } }),
    )
    const origin = 'https://hooks.example.com:8443'
    const [creation, change] = await eventsOf(id)
    expect(creation.changes.url).toEqual({ after: origin })
    expect(change.changes.url).toEqual({ before: origin, after: origin })
    const stored = () =>
      database().read.selectFrom('events').where('entity_id', '=', id).selectAll().orderBy('id').execute()
    expect(JSON.stringify(await stored())).not.toMatch(/AAA|BBB|CCC|DDD/)
    // An event from before this rule is sealed unchanged.
    const changes = JSON.stringify({
      url: { before: 'https://user:EEE@a.example/', after: 'https://b.example/EEE' },
    })
    await transaction((trx) =>
      trx.updateTable('events').set({ changes }).where('id', '=', change.id).execute(),
    )
    expect((await eventsOf(id))[1].changes.url).toEqual({
      before: 'https://a.example',
      after: 'https://b.example',
    })
    for (const form of ['format=csv', 'format=json']) {
      const answer = await call('GET', `/api/events?entity=webhook&entityid=${id}&${form}`)
      expect(await answer.text()).not.toContain('EEE')
    }
    await transaction((trx) => trx.deleteFrom('events').where('id', '=', change.id).execute())
  })

  test('is changed and deleted, with its events', async () => {
    const { id, secret: _secret, ...made } = await newWebhook()
    const changed = { ...made, url: 'https://other.example.com/', events: ['*.delete'], active: true }
    expect(await expectStatus(200, call('PUT', `${WEBHOOKS}/${id}`, { body: changed }))).toEqual({
      id,
      ...changed,
    })
    await expectStatus(204, call('DELETE', `${WEBHOOKS}/${id}`))
    expect(await refusal(call('GET', `${WEBHOOKS}/${id}`))).toEqual([404, 'WEBHOOK-0'])
    const events = await eventsOf(id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'delete'])
    expect(events[1].changes).toEqual({
      url: { before: 'https://hooks.example.com', after: 'https://other.example.com' },
      events: { before: 'scope.*', after: '*.delete' },
      active: { before: 'false', after: 'true' },
    })
  })

  test('is written and read as XML', async () => {
    const name = unique('Webhook')
    const body = `<webhook><name>${name}</name><url>https://hooks.example.com/</url><events>scope.*</events><events>*.delete</events></webhook>`
    const headers = { accept: 'application/xml', 'content-type': 'application/xml' }
    const made = await call('POST', WEBHOOKS, { body, headers })
    expect(await expectStatus(201, made)).toMatch(/<secret>whsec_[^<]+<\/secret>/)
    const path = new URL(made.headers.get('location') ?? '').pathname
    const shown: string = await expectStatus(200, call('GET', path, { headers }))
    expect(shown).toContain('<events>scope.*</events><events>*.delete</events>')
    expect(shown).not.toContain('secret')
    expect(await expectStatus(200, call('PUT', path, { body: shown, headers }))).toBe(shown)
  })

  test('has a name of its own', async () => {
    const { name } = await newWebhook()
    expect(await refusal(call('POST', WEBHOOKS, { body: webhookBody({ name }) }))).toEqual([409, 'WEBHOOK-1'])
    const other = await newWebhook()
    const body = { ...webhookBody({ name }), id: other.id }
    expect(await refusal(call('PUT', `${WEBHOOKS}/${other.id}`, { body }))).toEqual([409, 'WEBHOOK-1'])
  })

  test('a repeated request with an Idempotency-Key makes one, and shows the secret once', async () => {
    const send = { body: webhookBody(), headers: { 'idempotency-key': unique('key').replace(' ', '-') } }
    const { secret: _secret, ...made } = await expectStatus(201, call('POST', WEBHOOKS, send))
    expect(await expectStatus(201, call('POST', WEBHOOKS, send))).toEqual(made)
  })
})

describe('refused are', () => {
  test.each([
    ['http', 'http://hooks.example.com/'],
    ['another scheme', 'ftp://hooks.example.com/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback as a number', 'https://2130706433/'],
    ['loopback in hexadecimal', 'https://0x7f.1/'],
    ['localhost', 'https://localhost/'],
    ['a name below localhost', 'https://app.LOCALHOST./'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['private', 'https://10.1.2.3/'],
    ['private (172.16.0.0/12)', 'https://172.31.255.1/'],
    ['private (192.168.0.0/16)', 'https://192.168.1.1:8443/'],
    ['link-local', 'https://169.254.169.254/latest/meta-data'],
    ['IPv6 link-local', 'https://[fe80::1]/'],
    ['unique local', 'https://[fd00::1]/'],
    ['CGNAT', 'https://100.64.0.1/'],
    ['multicast', 'https://224.0.0.1/'],
    ['unspecified', 'https://0.0.0.0/'],
    ['IPv4-mapped', 'https://[::ffff:10.0.0.1]/'],
    ['IPv4-mapped public', 'https://[::ffff:8.8.8.8]/'],
    ['NAT64', 'https://[64:ff9b::a00:1]/'],
  ])('%s addresses', async (_kind, url) => {
    expect(await refusal(call('POST', WEBHOOKS, { body: webhookBody({ url }) }))).toEqual([400, 'WEBHOOK-2'])
  })

  test.each([
    ['url', 'no address', 'CONSTR-PATTERN'],
    ['url', 'https://user:password@hooks.example.com/', 'CONSTR-PATTERN'],
    ['url', '', 'CONSTR-LENGTH'],
    ['events', [], 'CONSTR-LENGTH'],
    ['events', ['scopes.update'], 'CONSTR-PATTERN'],
    ['events', ['scope'], 'CONSTR-PATTERN'],
    ['events', ['sc*.update'], 'CONSTR-PATTERN'],
    ['events', undefined, 'CONSTR-NOTNULL'],
    ['name', '', 'CONSTR-LENGTH'],
    ['active', 'perhaps', 'GEN-3'],
  ])('%s %j', async (field, value, code) => {
    const body = webhookBody({ [field]: value })
    expect(await refusal(call('POST', WEBHOOKS, { body }))).toEqual([400, code])
  })

  test('all faults of a document at once', async () => {
    const body = webhookBody({ name: '', url: 'http://10.0.0.1/' })
    expect(await codesOf(call('POST', WEBHOOKS, { body }))).toEqual(['CONSTR-LENGTH', 'WEBHOOK-2'])
  })

  test('paths that name none', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/action/rotatesecret'],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/1'],
    ] as const) {
      const body = method === 'PUT' ? webhookBody() : undefined
      expect(await refusal(call(method, `${WEBHOOKS}/999999${path}`, { body }))).toEqual([404, 'WEBHOOK-0'])
    }
    const { id } = await newWebhook()
    const missing = call('GET', `${WEBHOOKS}/${id}/deliveries/999999`)
    expect(await refusal(missing)).toEqual([404, 'WEBHOOKDELIVERY-0'])
  })
})

test('WEBHOOK_ALLOW names hosts of any address, by http too, with a port or without', async () => {
  const allowed = ['127.0.0.1', '[::1]', 'hooks.internal:8080', 'localhost:443']
  await withSettings({ WEBHOOK_ALLOW: allowed }, async () => {
    for (const url of [
      'http://127.0.0.1:9999/',
      'https://127.0.0.1/',
      'http://[::1]/',
      'http://hooks.internal:8080/a',
      'https://localhost/',
    ])
      await newWebhook({ url })
    for (const url of [
      'http://hooks.internal/',
      'https://localhost:8443/',
      'http://127.0.0.2/',
      'ftp://127.0.0.1/',
    ]) {
      const sent = call('POST', WEBHOOKS, { body: webhookBody({ url }) })
      expect(await refusal(sent)).toEqual([400, 'WEBHOOK-2'])
    }
  })
})

describe('the webhook of another user', () => {
  const without = (...names: Privilege[]) => allPrivileges.filter((name) => !names.includes(name))

  /** The refused changes of a webhook that has more visibility than the caller. */
  const attempts = (id: number) =>
    [
      ['PUT', `${WEBHOOKS}/${id}`, webhookBody()],
      ['POST', `${WEBHOOKS}/${id}/action/rotatesecret`, undefined],
      ['DELETE', `${WEBHOOKS}/${id}`, undefined],
    ] as const

  test('is read, but not changed, by callers with fewer privileges or a narrower scope', async () => {
    const { id } = await newWebhook({}, await newUser())
    const enterprise = await newEnterprise()
    const narrow = await newScope({ enterprises: [enterprise.id] })
    for (const as of [
      await newUser({ privileges: without('EVENTLOG_VIEW_ALL') }),
      await newUser({ enterpriseId: enterprise.id, scopeId: narrow.id }),
    ]) {
      const { name } = await expectStatus(200, call('GET', `${WEBHOOKS}/${id}`, { as }))
      expect(name).toMatch(/^Webhook/)
      for (const [method, path, body] of attempts(id))
        expect(await refusal(call(method, path, { as, body }))).toEqual([403, 'GEN-15'])
    }
  })

  test('shows the origin of its address alone, as the path may be a secret, to callers who could not change it', async () => {
    const { id, name, url } = await newWebhook({}, await newUser())
    const urlsFor = async (as?: Awaited<ReturnType<typeof newUser>>) => {
      const one = await expectStatus(200, call('GET', `${WEBHOOKS}/${id}`, { ...(as && { as }) }))
      const list = call('GET', `${WEBHOOKS}?has=${encodeURIComponent(name)}`, { ...(as && { as }) })
      const { collection } = await expectStatus(200, list)
      return [one.url, collection[0].url]
    }
    expect(await urlsFor()).toEqual([url, url])
    const { origin } = new URL(url)
    expect(await urlsFor(await newUser({ privileges: ['SYSCONFIG_VIEW'] }))).toEqual([origin, origin])
  })

  test('hides a creator whom the caller does not see', async () => {
    const creator = await newUser()
    const { id } = await newWebhook({}, creator)
    const rels = async (as?: typeof creator) =>
      (await expectStatus(200, call('GET', `${WEBHOOKS}/${id}`, { ...(as && { as }) }))).links.map(
        ({ rel }: { rel: string }) => rel,
      )
    expect(await rels()).toContain('user')
    const enterprise = await newEnterprise()
    const narrow = await newScope({ enterprises: [enterprise.id] })
    const limited = await newUser({ enterpriseId: enterprise.id, scopeId: narrow.id })
    expect(await rels(limited)).not.toContain('user')
  })

  test('is changed by a caller who may do no less, and stays its creator’s', async () => {
    const creator = await newUser({ privileges: ['SYSCONFIG_VIEW', 'SYSCONFIG_ALLOW_MODIFY'] })
    const { id, secret: _secret, ...made } = await newWebhook({}, creator)
    const body = { id, ...made, events: ['*.delete'] }
    expect(await expectStatus(200, call('PUT', `${WEBHOOKS}/${id}`, { body }))).toEqual(body)
    expect(body.links.find(({ rel }: { rel: string }) => rel === 'user').title).toBe(creator.nick)
  })

  test('whose creator is deleted is left to callers who see everything', async () => {
    const creator = await newUser({ privileges: ['SYSCONFIG_ALLOW_MODIFY'] })
    const { id } = await newWebhook({}, creator)
    const path = `/api/admin/enterprises/${creator.enterpriseId}/users/${creator.id}`
    await expectStatus(204, call('DELETE', path))
    const as = await newUser({ privileges: ['SYSCONFIG_ALLOW_MODIFY'] })
    for (const [method, path, body] of attempts(id))
      expect(await refusal(call(method, path, { as, body }))).toEqual([403, 'GEN-15'])
    await expectStatus(204, call('DELETE', `${WEBHOOKS}/${id}`))
  })
})

test('a program whose grant is narrower than its user makes and changes no webhook', async () => {
  const owner = await newUser()
  const own = await newWebhook({}, owner)
  const grantOf = async (privileges: Privilege[]) => {
    const links = privileges.map((name) => ({
      rel: 'privilege',
      href: `/api/config/privileges/${allPrivileges.indexOf(name) + 1}`,
    }))
    const application = await register(owner, { name: unique('Program'), links })
    const token = await connect(application, owner)
    return (method: string, path: string, body?: object) =>
      signedCall(application, token, method, path, { body })
  }
  const narrow = await grantOf(['SYSCONFIG_VIEW', 'SYSCONFIG_ALLOW_MODIFY'])
  for (const [method, path, body] of [
    ['POST', WEBHOOKS, webhookBody()],
    ['PUT', `${WEBHOOKS}/${own.id}`, webhookBody()],
    ['POST', `${WEBHOOKS}/${own.id}/action/rotatesecret`, undefined],
  ] as const)
    expect(await refusal(narrow(method, path, body))).toEqual([403, 'GEN-15'])
  const whole = await grantOf([...allPrivileges])
  const made = await expectStatus(201, whole('POST', WEBHOOKS, webhookBody()))
  expect(made).not.toHaveProperty('secret')
})
