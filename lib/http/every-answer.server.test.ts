import { describe, expect, test } from 'vitest'
import { loadRoutes } from '#lib/server/router.server'
import { admin, call } from '#lib/testing/client'

/* What the browser, and whatever caches stand between, are told by each answer: looked at for all operations that read. */

const paths = (await loadRoutes())
  .filter(({ handlers }) => handlers.GET)
  .map(({ path }) => path.replaceAll(/\[\w+\]/g, '1'))
  .filter((path) => !path.includes('['))

const strangers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

const asked = [
  ['by nobody', { as: null }],
  ['by an administrator', { as: admin }],
  ['by an administrator, in XML', { as: admin, headers: { accept: 'application/xml' } }],
  ['by a page of another site', { as: admin, headers: strangers }],
] as const

describe.each(asked)('each answer to what is asked %s', (_who, how) => {
  test.each(paths)('%s', async (path) => {
    const { headers } = await call('GET', path, how)
    const type = headers.get('content-type')
    if (type?.startsWith('text/')) expect(type).toContain('charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toMatch(/^(no-store|private, no-cache)/)
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})
