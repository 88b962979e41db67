import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiFailure, api, apiWithTag } from '#lib/client/api'
import { createOnce } from '#lib/client/once'
import { newSession, noteSession, proof } from '#lib/client/waiting'

afterEach(() => vi.unstubAllGlobals())

const answer = (body: BodyInit | null, init?: ResponseInit) => {
  const fetched = vi.fn(async (_path: string, _init?: RequestInit) => new Response(body, init))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

const failureOf = async (call: Promise<unknown>): Promise<ApiFailure> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiFailure) return error
  throw new Error('An ApiFailure was expected', { cause: error })
}

const reading = { meta: undefined }

test('a call accepts JSON and leaves undefined parameters out of the query', async () => {
  const fetched = answer('{"id":7}')
  await expect(
    api('/api/admin/scopes', { query: { has: 'a+b', limit: 25, by: undefined }, meta: undefined }),
  ).resolves.toEqual({ id: 7 })
  expect(fetched).toHaveBeenCalledWith(
    '/api/admin/scopes?has=a%2Bb&limit=25',
    expect.objectContaining({
      method: 'GET',
      headers: expect.objectContaining({ Accept: 'application/json' }),
    }),
  )
})

test('a body is sent as JSON', async () => {
  const fetched = answer('{}', { status: 201 })
  await api('/api/admin/scopes', { method: 'POST', body: { name: 'Retail' }, once: createOnce() })
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({
    method: 'POST',
    body: '{"name":"Retail"}',
    headers: { 'Content-Type': 'application/json' },
  })
})

test('a read of a client for the past has its moment, and nothing is asked that has no past', async () => {
  const fetched = vi.fn(async () => Response.json({ id: 7 }))
  vi.stubGlobal('fetch', fetched)
  const meta = { asof: '2026-11-20T10:00:00.000Z' }
  await api('/api/admin/scopes/7', { meta })
  expect(fetched).toHaveBeenCalledWith(
    '/api/admin/scopes/7?asof=2026-11-20T10%3A00%3A00.000Z',
    expect.anything(),
  )
  const failure = await failureOf(api('/api/admin/natnetworks/action/check', { meta }))
  expect(failure.faults).toMatchObject([{ code: 'NO-PAST' }])
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('apiWithTag returns a document with its ETag', async () => {
  answer('{"id":7}', { headers: { ETag: '"a1"' } })
  await expect(apiWithTag('/api/admin/scopes/7', reading)).resolves.toEqual({
    document: { id: 7 },
    etag: '"a1"',
  })
})

test('a 204 response gives undefined', async () => {
  answer(null, { status: 204 })
  await expect(api('/api/admin/scopes/7', { method: 'DELETE' })).resolves.toBeUndefined()
})

test('a failure has all coded errors and the request id', async () => {
  const faults = [
    { code: 'SCOPE-5', message: 'Roles are associated with it' },
    { code: 'SCOPE-17', message: 'Users are associated with it' },
  ]
  answer(JSON.stringify({ links: [], collection: faults }), {
    status: 409,
    headers: { 'X-Request-Id': 'r-1' },
  })
  const failure = await failureOf(api('/api/admin/scopes/7', { method: 'DELETE' }))
  expect(failure).toMatchObject({ status: 409, faults, requestId: 'r-1', sessionEnded: false })
  expect(failure.has('SCOPE-17')).toBe(true)
})

test('an error page becomes one fault with the status as its code', async () => {
  answer('<h1>403</h1>', { status: 403, headers: { 'Content-Type': 'text/html' } })
  expect((await failureOf(api('/api/admin/scopes', reading))).faults).toEqual([
    { code: '403', message: 'You may not do this.' },
  ])
})

test('a network error is a failure without a status', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  expect(await failureOf(api('/api/admin/scopes', reading))).toMatchObject({
    status: 0,
    requestId: undefined,
  })
})

test('an aborted call is no failure', async () => {
  const gone = new DOMException('Aborted', 'AbortError')
  vi.stubGlobal('fetch', async () => {
    throw gone
  })
  await expect(api('/api/admin/scopes', { signal: AbortSignal.abort(), meta: undefined })).rejects.toBe(gone)
})

test('401 ends the session', async () => {
  answer('<h1>401</h1>', { status: 401 })
  expect((await failureOf(api('/api/admin/scopes', reading))).sessionEnded).toBe(true)
})

test('a wrong password or verification code does not end the session', async () => {
  answer(null, { status: 401 })
  expect((await failureOf(api('/api/session', { method: 'POST', once: false }))).sessionEnded).toBe(false)
  answer(null, { status: 401, headers: { 'X-Acme-OTP': 'required; type=APP_AUTHENTICATOR' } })
  const disable = '/api/admin/enterprises/1/users/1/action/disable2fa'
  expect((await failureOf(api(disable, { method: 'POST', once: false }))).sessionEnded).toBe(false)
})

test('a failure has the required kind of code and the seconds until another can be mailed', async () => {
  answer(null, { status: 401, headers: { 'X-Acme-OTP': 'required; type=EMAIL', 'Retry-After': '30' } })
  const failure = await failureOf(api('/api/session', { method: 'POST', once: false }))
  expect(failure).toMatchObject({ codeType: 'EMAIL', retryAfter: 30, clockOffset: undefined })
})

test('a failure has the offset of the authenticator’s clock', async () => {
  answer(null, {
    status: 401,
    headers: { 'X-Acme-OTP': 'required; type=APP_AUTHENTICATOR', 'X-Acme-OTP-Clock': '-300' },
  })
  const failure = await failureOf(api('/api/session', { method: 'POST', once: false }))
  expect(failure).toMatchObject({ codeType: 'APP_AUTHENTICATOR', clockOffset: -300 })
  answer(null, { status: 409, headers: { 'X-Acme-OTP-Clock': '120' } })
  const unproved = await failureOf(api('/api/session/code', { method: 'POST', once: false }))
  expect(unproved).toMatchObject({ codeType: undefined, clockOffset: 120, sessionEnded: false })
})

describe('a request that requires a proof of identity', () => {
  const refused = () =>
    Response.json({ collection: [{ code: 'SIGN-IN-6', message: 'Prove it' }] }, { status: 403 })

  test('is repeated once after the user gave the proof', async () => {
    const answers = [refused(), new Response('{"id":7}')]
    const fetched = vi.fn(async () => answers.shift())
    vi.stubGlobal('fetch', fetched)
    const stop = proof.listen(() => proof.answer(true))
    await expect(api('/api/x', { method: 'PUT', body: { name: 'Retail' } })).resolves.toEqual({ id: 7 })
    expect(fetched).toHaveBeenCalledTimes(2)
    expect(fetched.mock.calls[1]).toEqual(fetched.mock.calls[0])
    stop()
  })

  test('fails when the user cancels', async () => {
    const fetched = vi.fn(async () => refused())
    vi.stubGlobal('fetch', fetched)
    const stop = proof.listen(() => proof.answer(false))
    expect((await failureOf(api('/api/x', { method: 'PUT' }))).has('SIGN-IN-6')).toBe(true)
    expect(fetched).toHaveBeenCalledTimes(1)
    stop()
  })
})

describe('a refusal of an earlier session that arrives after a new sign-in', () => {
  /** The first answer is held back until a sign-in of this user. The others are the document. */
  const signedInMeanwhile = (user: number) => {
    noteSession(1)
    const fetched = vi.fn(async () => {
      if (fetched.mock.calls.length > 1) return new Response('{"id":7}')
      noteSession(user)
      return new Response(null, { status: 401 })
    })
    vi.stubGlobal('fetch', fetched)
    return fetched
  }

  test.each([1, 2])('is asked again for a read (user %i)', async (user) => {
    const fetched = signedInMeanwhile(user)
    await expect(api('/api/admin/scopes/7', reading)).resolves.toEqual({ id: 7 })
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  test('is asked again for a change of the same user', async () => {
    signedInMeanwhile(1)
    await expect(api('/api/admin/scopes/7', { method: 'PUT', body: {} })).resolves.toEqual({ id: 7 })
  })

  test('refuses a change of another user, and leaves the present session alone', async () => {
    const fetched = signedInMeanwhile(2)
    const asked = vi.fn()
    const stop = newSession.listen(asked)
    const failure = await failureOf(api('/api/admin/scopes/7', { method: 'PUT', body: {} }))
    stop()
    expect(failure).toMatchObject({ status: 401, sessionEnded: false })
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(asked).not.toHaveBeenCalled()
  })

  test('counts where the present session has ended too', async () => {
    noteSession(1)
    vi.stubGlobal('fetch', async () => {
      noteSession(1)
      return new Response(null, { status: 401 })
    })
    expect(await failureOf(api('/api/admin/scopes/7', reading))).toMatchObject({
      status: 401,
      sessionEnded: true,
    })
  })
})
