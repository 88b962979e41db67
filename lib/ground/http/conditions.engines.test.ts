import { describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, unique } from '#lib/tools/testing/client'

const newScope = async () => {
  const { id, name } = await expectStatus(
    201,
    call('POST', '/api/admin/scopes', { body: { name: unique('Scope') } }),
  )
  return { path: `/api/admin/scopes/${id}`, id: id as number, name: name as string }
}

const tagOf = async (path: string, accept = 'application/json'): Promise<string> =>
  (await call('GET', path, { headers: { accept } })).headers.get('etag') ?? ''

const put = (path: string, tag: string, body: object = { name: unique('Scope') }) =>
  call('PUT', path, { body, headers: { 'if-match': tag } })

describe('ETag (docs/api/responses.md, "Entity tags and caching")', () => {
  test('is strong, and the same until the document changes', async () => {
    const { path } = await newScope()
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(await tagOf(path)).toBe(tag)
    const changed = await call('PUT', path, { body: { name: unique('Scope') } })
    expect(changed.headers.get('etag')).not.toBe(tag)
    expect(await tagOf(path)).toBe(changed.headers.get('etag'))
  })

  test('differs between JSON and XML', async () => {
    const { path } = await newScope()
    expect(await tagOf(path)).not.toBe(await tagOf(path, 'application/xml'))
  })

  test('is sent for a created resource, and never for a list', async () => {
    const made = await call('POST', '/api/admin/scopes', { body: { name: unique('Scope') } })
    expect(made.headers.get('etag')).toBe(await tagOf(made.headers.get('location') ?? ''))
    expect((await call('GET', '/api/admin/scopes')).headers.get('etag')).toBeNull()
  })

  test('changes with every part of the document, such as the title of a link', async () => {
    const parent = await newScope()
    const links = [{ rel: 'scopeParent', href: parent.path }]
    const { id } = await expectStatus(
      201,
      call('POST', '/api/admin/scopes', { body: { name: unique('Scope'), links } }),
    )
    const before = await tagOf(`/api/admin/scopes/${id}`)
    await expectStatus(200, call('PUT', parent.path, { body: { name: unique('Scope') } }))
    expect(await tagOf(`/api/admin/scopes/${id}`)).not.toBe(before)
  })
})

describe('If-None-Match', () => {
  const ask = async (path: string, tag: string, method = 'GET') => {
    const response = await call(method, path, {
      headers: { accept: 'application/json', 'if-none-match': tag },
    })
    return { response, status: response.status, text: await response.text() }
  }

  test('an unchanged document is 304 without a body, with its tag and a new token', async () => {
    const { path } = await newScope()
    const tag = await tagOf(path)
    for (const header of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
      const { response, status, text } = await ask(path, header)
      expect([status, text]).toEqual([304, ''])
      expect(response.headers.get('etag')).toBe(tag)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-service-token')).toBeTruthy()
    }
    expect((await ask(path, tag, 'HEAD')).status).toBe(304)
  })

  test('a changed document, or the other format, is 200', async () => {
    const { path } = await newScope()
    expect((await ask(path, '"other"')).status).toBe(200)
    expect((await ask(path, await tagOf(path, 'application/xml'))).status).toBe(200)
  })
})

describe('If-Match', () => {
  test('a write with the current tag of either format succeeds', async () => {
    const { path } = await newScope()
    await expectStatus(200, put(path, await tagOf(path)))
    await expectStatus(200, put(path, await tagOf(path, 'application/xml')))
    await expectStatus(200, put(path, `"other", ${await tagOf(path)}`))
    await expectStatus(200, put(path, '*'))
    expect(
      (await call('DELETE', path, { headers: { 'if-match': await tagOf(path, 'text/xml') } })).status,
    ).toBe(204)
  })

  test('a write with a stale tag is 412 and changes nothing', async () => {
    const { path } = await newScope()
    const stale = await tagOf(path)
    const { name } = await expectStatus(200, put(path, stale))
    for (const response of [
      await put(path, stale),
      await call('DELETE', path, { headers: { 'if-match': stale } }),
    ]) {
      expect(response.status).toBe(412)
      expect(await codesOf(response)).toEqual(['412-PRECONDITION-FAILED'])
    }
    expect(await expectStatus(200, call('GET', path))).toMatchObject({ name })
  })

  test('a weak tag matches nothing (RFC 9110 §13.1.1)', async () => {
    const { path } = await newScope()
    expect((await put(path, `W/${await tagOf(path)}`)).status).toBe(412)
  })

  test('of two writes with the same tag one gets 412', async () => {
    const { path } = await newScope()
    const tag = await tagOf(path)
    const answers = await Promise.all([put(path, tag), put(path, tag)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('a write without If-Match always succeeds', async () => {
    const { path } = await newScope()
    await expectStatus(200, call('PUT', path, { body: { name: unique('Scope') } }))
    expect((await call('DELETE', path)).status).toBe(204)
  })
})
