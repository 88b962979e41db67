import { describe, expect, test } from 'vitest'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { admin, call } from '#lib/tools/testing/client'
import { swept } from '#lib/tools/testing/search'

/* The headers for browsers and caches, checked for every operation that reads; for a fifth also in responses to other callers. */

const paths = (await loadRoutes())
  .filter(({ handlers }) => handlers.GET)
  .map(({ path }) => path.replaceAll(/\[\w+\]/g, '1'))
  .filter((path) => !path.includes('['))

const strangers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

const callers = [
  ['without credentials', { as: null }],
  ['of an administrator', { as: admin }],
  ['of an administrator, in XML', { as: admin, headers: { accept: 'application/xml' } }],
  ['from another site', { as: admin, headers: strangers }],
] as const

describe.each(callers)('the response to a request %s has all protective headers', (who, how) => {
  test.each(who === 'of an administrator' ? paths : swept(paths))('%s', async (path) => {
    const { headers, body } = await call('GET', path, how)
    const type = headers.get('content-type')
    // A stream of events has no end, and is always UTF-8 (HTML §9.2.5).
    if (type === 'text/event-stream') await body?.cancel()
    else if (type?.startsWith('text/')) expect(type).toContain('charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toMatch(/^(no-store|private, no-cache)/)
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})
