import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { database, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { renderListing } from '#lib/ground/http/render.server'
import { documents } from '#lib/openapi/documents'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import type { Described } from '#lib/request/pipeline/spec.server'
import { newAccessToken } from '#lib/tools/testing/access-tokens'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import { admin, basicOf, newUser, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { enrolled } from '#lib/tools/testing/enrolled'
import { freePort } from '#lib/tools/testing/free-port'
import { newRole, roleLink } from '#lib/tools/testing/identity'
import { newInvitation } from '#lib/tools/testing/invitations'
import { newDatacenter, newDevice } from '#lib/tools/testing/nat'
import { register, requestToken } from '#lib/tools/testing/oauth'
import { newAuthenticator } from '#lib/tools/testing/passkeys'
import { swept } from '#lib/tools/testing/search'
import { codeOf } from '#lib/tools/testing/totp'
import { newWebhook, WEBHOOKS, webhookBody } from '#lib/tools/testing/webhooks'

const isSecret = (schema: z.ZodType): boolean => schema.meta()?.['x-secret'] === true

type Fields = Record<string, z.ZodType>

const shapeOf = (schema: unknown): Fields =>
  typeof schema === 'object' && schema !== null && 'shape' in schema ? (schema.shape as Fields) : {}

const documentOf = (name: string | undefined): Fields =>
  shapeOf((documents as Record<string, unknown>)[name ?? ''])

async function operations(): Promise<{ name: string; spec: Described }[]> {
  return (await loadRoutes()).flatMap(({ path, handlers }) =>
    Object.entries(handlers).map(([method, { spec }]) => ({ name: `${method} ${path}`, spec })),
  )
}

const fieldsOf = ({ takes, answers }: Described): [string, z.ZodType][] =>
  [shapeOf(takes?.body), documentOf(takes?.as), documentOf(answers?.as)].flatMap((fields) =>
    Object.entries(fields),
  )

describe('a field that holds a secret', () => {
  const suspicious = /password|secret|token|code|key|authenticator|credential|verifier|pin$/i

  /** Fields with the name of a secret that contain no secret, and their content. */
  const harmless: Record<string, string> = {
    apiKey: 'the public half of an application’s credentials: each signed request shows it',
    publicKey: 'a public key',
    secretExposed: 'whether the owner should renew the secret',
    codeHeader: 'the name of a header',
    scratchCodesLeft: 'a number',
    twoFactorProvider: 'the name of a mechanism',
    mustChangePassword: 'a flag',
    hasPassword: 'a flag',
    owesPassword: 'a flag',
    passwordReset: 'a flag',
    passwordMinLength: 'a number',
    passkey: 'the answer of an authenticator, which is accepted once, or the name of a passkey',
    pubKeyCredParams: 'the names of algorithms',
    excludeCredentials: 'the ids of passkeys',
    authenticatorSelection: 'what an authenticator must be able to do',
  }
  /** Documents whose fields with the name of a secret are flags, groups of settings, codes of findings, codes of refusals, or names of tokens. */
  const settings = new Set([
    'job',
    'signinways',
    'signinmechanisms',
    'natfinding',
    'natfindingcounts',
    'scimstatus',
  ])

  test('is marked as secret in its schema if its name sounds like a secret', async () => {
    const documented = Object.entries(documents)
      .filter(([name]) => !settings.has(name))
      .flatMap(([name, { shape }]) =>
        Object.entries(shape as Fields).map((field) => [name, ...field] as const),
      )
    const taken = (await operations()).flatMap(({ name, spec }) =>
      Object.entries(shapeOf(spec.takes?.body)).map((field) => [name, ...field] as const),
    )
    const unmarked = [...documented, ...taken].filter(
      ([, field, schema]) => suspicious.test(field) && !isSecret(schema) && !Object.hasOwn(harmless, field),
    )
    expect(unmarked.map(([where, field]) => `${where}: ${field}`)).toEqual([])
  })

  test('is marked as secret in the description of the API', async () => {
    const description = await (await ask(api, '/api/openapi.json')).json()
    const { properties } = description.components.schemas.application
    expect(properties.apiSecret).toMatchObject({ format: 'password', 'x-secret': true })
  })

  test('is left out of every list', () => {
    const listing = { links: [], totalSize: 1, collection: [{ id: 1, apiSecret: 'leak', token: 'leak' }] }
    for (const syntax of ['json', 'xml'] as const)
      expect(String(renderListing(listing, { name: 'applications', syntax, base: '' }))).not.toContain('leak')
  })

  test('is no column of a CSV file', async () => {
    const columns = (await operations()).flatMap(({ spec }) =>
      spec.kind === 'open' ? [] : (spec.answers?.csv?.columns.map(({ name }) => name) ?? []),
    )
    expect(columns.filter((name) => suspicious.test(name))).toEqual([])
  })
})

let api: ApiProcess

beforeAll(async () => {
  await newUser()
  const settings = { LOG_LEVEL: 'trace', BASE_URL: ORIGIN, PORT: String(await freePort()) }
  api = await startApi(env(), { ...settings, CHEAP_HASHES: '1' })
}, 120_000)

afterAll(async () => {
  await api.stop()
})

let serial = 0
const marker = (): string => {
  serial += 1
  return `marked secret number ${serial}`
}

type Document = Record<string, unknown>

/** Sends the request, and returns every secret that was sent or received. */
async function secretsOf(
  method: string,
  path: string,
  { as, body, status }: { as?: User; body?: Document; status: number },
): Promise<string[]> {
  const answer = await ask(api, path, { ...(as && { as }), ...(body && { body }) }, method)
  const text = await answer.text()
  expect([method, path, answer.status, text]).toEqual([method, path, status, text])
  const document = (text.startsWith('{') ? JSON.parse(text) : {}) as Document
  const marked = new Set(Object.values(documents).flatMap(({ shape }) => secretNamesOf(shape as Fields)))
  const values = [body ?? {}, document].flatMap((each) =>
    Object.entries(each).filter(([name]) => marked.has(name) || /password/i.test(name)),
  )
  return values.flatMap(([, value]) => value).filter((value) => typeof value === 'string')
}

const secretNamesOf = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, schema]) => (isSecret(schema) ? [name] : []))

const userPath = ({ id, enterpriseId }: { id: number; enterpriseId: number }) =>
  `/api/admin/enterprises/${enterpriseId}/users/${id}`

const applicationsOf = (user: { id: number; enterpriseId: number }) => `${userPath(user)}/applications`

const asTyped = ({ nick, password }: User) => ({ nick, password })

/** The cookies of a sign-in to the console. */
async function signedInAs(user: User): Promise<string> {
  const signedIn = await ask(api, '/api/session', { body: asTyped(user) })
  return signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
}

/** A request with a marked secret for every operation that takes or returns one. */
const runs: Record<string, () => Promise<string[]>> = {
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/enable2fa': async () => {
    const user = await newUser()
    const body = { type: 'APP_AUTHENTICATOR' }
    return secretsOf('POST', `${userPath(user)}/action/enable2fa`, { as: user, body, status: 201 })
  },
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/scratchcodes': async () => {
    const { user, path, secret } = await enrolled()
    const headers = { 'x-service-otp': codeOf(secret) }
    const answer = await ask(api, `${path}/scratchcodes`, { as: user, headers }, 'POST')
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { scratchCodes: string[] }).scratchCodes
  },
  'POST /api/admin/enterprises/[enterprise]/users/[user]/applications': async () => {
    const user = await newUser()
    return secretsOf('POST', applicationsOf(user), {
      as: user,
      body: { name: unique('Program') },
      status: 201,
    })
  },
  'GET /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]': async () => {
    const user = await newUser()
    const { id } = await register(user)
    return secretsOf('GET', `${applicationsOf(user)}/${id}`, { as: user, status: 200 })
  },
  'POST /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]/action/rotatesecret':
    async () => {
      const user = await newUser()
      const { id } = await register(user)
      return secretsOf('POST', `${applicationsOf(user)}/${id}/action/rotatesecret`, { as: user, status: 200 })
    },
  'POST /api/admin/enterprises/[enterprise]/users/[user]/tokens': async () => {
    const user = await newUser()
    const body = { name: unique('Token') }
    return secretsOf('POST', `${userPath(user)}/tokens`, { as: user, body, status: 201 })
  },
  'GET /api/admin/enterprises/[enterprise]/users/[user]/tokens/[token]': async () => {
    const user = await newUser()
    const { id, token } = await newAccessToken(user)
    await secretsOf('GET', `${userPath(user)}/tokens/${id}`, { as: user, status: 200 })
    return [token]
  },
  'POST /api/admin/enterprises/[enterprise]/users': async () => {
    const { enterpriseId } = await newUser()
    const body = {
      nick: unique('n').replace(' ', '-'),
      name: 'N',
      password: marker(),
      links: [roleLink(await newRole())],
    }
    return secretsOf('POST', `/api/admin/enterprises/${enterpriseId}/users`, { as: admin, body, status: 201 })
  },
  'GET /api/admin/enterprises/[enterprise]/users/[user]': async () => {
    const { path, token } = await newInvitation()
    return [token, ...(await secretsOf('GET', path, { as: admin, status: 200 }))]
  },
  'GET /api/login': async () => {
    const user = await newUser()
    return [user.password, ...(await secretsOf('GET', '/api/login', { as: user, status: 200 }))]
  },
  'PUT /api/admin/enterprises/[enterprise]/users/[user]': async () => {
    const user = await newUser()
    const read = (await (await ask(api, userPath(user), { as: user })).json()) as Document
    const body = { ...read, password: marker(), oldPassword: user.password }
    return secretsOf('PUT', userPath(user), { as: user, body, status: 200 })
  },
  'POST /api/cloud/locations/[datacenter]/devices': async () => {
    const { id } = await newDatacenter()
    const links = [{ rel: 'devicetype', href: '/api/config/devicetypes/1' }]
    const body = { name: unique('Device'), password: marker(), links }
    return secretsOf('POST', `/api/cloud/locations/${id}/devices`, { as: admin, body, status: 201 })
  },
  'PUT /api/cloud/locations/[datacenter]/devices/[device]': async () => {
    const { id } = await newDatacenter()
    const path = `/api/cloud/locations/${id}/devices/${(await newDevice(id)).id}`
    const read = (await (await ask(api, path, { as: admin })).json()) as Document
    return secretsOf('PUT', path, { as: admin, body: { ...read, password: marker() }, status: 200 })
  },
  'POST /api/admin/webhooks': () =>
    secretsOf('POST', WEBHOOKS, { as: admin, body: webhookBody(), status: 201 }),
  'GET /api/admin/webhooks/[webhook]': async () => {
    const { id, secret } = await newWebhook()
    await secretsOf('GET', `${WEBHOOKS}/${id}`, { as: admin, status: 200 })
    return [secret]
  },
  'PUT /api/admin/webhooks/[webhook]': async () => {
    const { id, secret } = await newWebhook()
    await secretsOf('PUT', `${WEBHOOKS}/${id}`, { as: admin, body: webhookBody(), status: 200 })
    return [secret]
  },
  'POST /api/admin/webhooks/[webhook]/action/rotatesecret': async () => {
    const { id } = await newWebhook()
    return secretsOf('POST', `${WEBHOOKS}/${id}/action/rotatesecret`, { as: admin, status: 200 })
  },
  'POST /api/session': async () => {
    const body = { ...asTyped(await newUser()), code: marker().slice(0, 32) }
    const wrong = { ...body, password: marker() }
    return [
      ...(await secretsOf('POST', '/api/session', { body, status: 200 })),
      ...(await secretsOf('POST', '/api/session', { body: wrong, status: 401 })),
    ]
  },
  'POST /api/session/code': async () => {
    // A wrong code is sent, because a correct one would be used up. A wrong one may still become valid later.
    const { token } = await enrolled()
    const code = marker().slice(0, 32)
    await ask(api, '/api/session/code', { headers: { 'x-service-token': token }, body: { code } })
    return [code]
  },
  'POST /api/session/proof': async () => {
    const owner = await newUser()
    const cookie = await signedInAs(owner)
    const headers = { cookie, origin: ORIGIN }
    const wrong = { oldPassword: marker(), code: marker().slice(0, 32) }
    await ask(api, '/api/session/proof', { headers, body: wrong })
    await ask(api, '/api/session/proof', { headers, body: { oldPassword: owner.password } })
    return [...Object.values(wrong), owner.password]
  },
  'POST /api/session/passkeys': async () => {
    const headers = { cookie: await signedInAs(await newUser()), origin: ORIGIN }
    const response = newAuthenticator().attest({ challenge: 'AAAA', rp: { id: 'console.localhost' } })
    const body = { name: 'Passkey', response, oldPassword: marker() }
    await ask(api, '/api/session/passkeys', { headers, body })
    return [body.oldPassword]
  },
  'PUT /api/session/passkeys/[passkey]': async () => {
    const headers = { cookie: await signedInAs(await newUser()), origin: ORIGIN }
    const body = { name: 'Passkey', oldPassword: marker() }
    await ask(api, '/api/session/passkeys/1', { headers, body }, 'PUT')
    return [body.oldPassword]
  },
  'POST /api/session/consent': async () => {
    const owner = await newUser()
    const { key } = await requestToken(await register(owner))
    const cookie = await signedInAs(owner)
    const headers = { cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
    const answer = await ask(api, '/api/session/consent', {
      headers,
      body: { oauthToken: key, approve: true },
    })
    const { href } = (await answer.json()) as { href: string }
    return [key, String(new URL(href).searchParams.get('oauth_verifier'))]
  },
  'PUT /api/session/password': async () => {
    const user = await newUser()
    const body = { oldPassword: user.password, password: marker() }
    return secretsOf('PUT', '/api/session/password', { as: user, body, status: 204 })
  },
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/invite': async () => {
    const { path } = await newInvitation()
    const answer = await ask(api, `${path}/action/invite`, { as: admin, body: { invite: 'link' } })
    return [((await answer.json()) as { invitation: string }).invitation]
  },
  'POST /api/session/invitation': async () => {
    const { token } = await newInvitation()
    return secretsOf('POST', '/api/session/invitation', { body: { token }, status: 200 })
  },
  'POST /api/session/invitation/options': async () => {
    const { token } = await newInvitation()
    return secretsOf('POST', '/api/session/invitation/options', { body: { token }, status: 200 })
  },
  'PUT /api/session/invitation': async () => {
    const { token } = await newInvitation()
    const body = { token, password: marker() }
    return secretsOf('PUT', '/api/session/invitation', { body, status: 200 })
  },
  'PUT /api/session/passwordreset': async () => {
    const [{ id }, token] = [await newUser(), marker()]
    const token_hash = createHash('sha256').update(token).digest('base64url')
    const now = Date.now()
    await transaction((trx) =>
      trx
        .insertInto('password_resets')
        .values({ user_id: id, token_hash, sent_at: now, expires_at: now + 60_000 })
        .execute(),
    )
    return secretsOf('PUT', '/api/session/passwordreset', {
      body: { token, password: marker() },
      status: 204,
    })
  },
  'POST /api/session/twofactorreset': async () => {
    const body = { nick: (await newUser()).nick, password: marker() }
    return secretsOf('POST', '/api/session/twofactorreset', { body, status: 409 })
  },
}

/** Operations that need an identity provider are tested in these files. */
const elsewhere: Record<string, string> = {
  'GET /api/session/tokens': 'lib/people/oidc/tokens.engines.test.ts',
}

const SLOW = { timeout: 120_000 }

describe('the value of a secret', () => {
  test('every operation that takes or returns a secret is tested here', async () => {
    const secretive = (await operations())
      .filter(({ spec }) => fieldsOf(spec).some(([, schema]) => isSecret(schema)))
      .map(({ name }) => name)
    expect(secretive.sort()).toEqual([...Object.keys(runs), ...Object.keys(elsewhere)].sort())
  })

  test('is in no event, CSV file, log line or metric after every such operation', SLOW, async () => {
    const sent: [operation: string, secret: string][] = []
    for (const [name, run] of Object.entries(runs)) {
      const secrets = await run()
      expect([name, secrets.length]).toEqual([name, expect.toSatisfy((count: number) => count > 0)])
      sent.push(...secrets.map((secret) => [name, secret] as [string, string]))
    }
    const rows = await database().read.selectFrom('events').selectAll().execute()
    const table = await (await ask(api, '/api/events?format=csv&limit=0', { as: admin })).text()
    const metrics = await (await ask(api, '/metrics')).text()
    const written = { events: JSON.stringify(rows), table, log: api.lines.join('\n'), metrics }
    for (const [where, text] of Object.entries(written))
      expect([where, sent.filter(([, value]) => text.includes(value))]).toEqual([where, []])
  })

  test('appears in events only as changed', async () => {
    const user = await newUser()
    await register(user)
    const rows = await database()
      .read.selectFrom('events')
      .where('user_id', '=', user.id)
      .select('changes')
      .execute()
    expect(rows.map(({ changes }) => JSON.parse(changes).apiSecret)).toContainEqual({ after: 'changed' })
  })

  test('is in no log line and no response if its document is malformed', SLOW, async () => {
    const sent: [operation: string, secret: string, answer: string][] = []
    const taking = (await operations()).filter(({ spec }) => spec.takes)
    const walked = swept(taking)
    for (const { name } of walked) {
      const [method = '', path = ''] = name.split(' ')
      for (const [number, [type, documentWith]] of unreadable.entries()) {
        const value = `s3kr3t${sent.length}x${number}`
        const options = { method, body: documentWith(value) }
        const headers = { authorization: basicOf(admin), 'content-type': `application/${type}` }
        // No resource of another test has this id: some of these documents are valid for some operations.
        const address = api.url + path.replaceAll(/\[\w+\]/g, '999999999')
        const answer = await fetch(address, { ...options, headers })
        sent.push([`${name} ${type} ${number}`, value, `${answer.status} ${await answer.text()}`])
      }
    }
    expect(taking.length).toBeGreaterThan(30)
    expect(sent.filter(([, , answer]) => answer.startsWith('400')).length).toBeGreaterThan(walked.length)
    const log = api.lines.join('\n')
    expect(sent.filter(([, value, answer]) => answer.includes(value) || log.includes(value))).toEqual([])
  })
})

/** Documents with a syntax error at the secret: parsers quote the text around an error. */
const unreadable: [type: string, documentWith: (secret: string) => string][] = [
  ['json', (secret) => secret],
  ['json', (secret) => `{"password":${secret}}`],
  ['json', (secret) => `{"password":"${secret}`],
  ['json', (secret) => JSON.stringify({ password: { [secret]: secret }, code: [secret], token: [[secret]] })],
  ['xml', (secret) => secret],
  ['xml', (secret) => `<user><password>a<${secret}></password></user>`],
  ['xml', (secret) => `<user><password>&${secret};</password></user>`],
]
