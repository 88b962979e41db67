import { expect, test } from 'vitest'
import { pageProtection } from '#lib/ground/http/protection.server'
import { call } from '#lib/tools/testing/client'
import { withSettings } from '#lib/tools/testing/session'

const answers: [string, () => Promise<Response>][] = [
  ['a document', () => call('GET', '/api/login')],
  ['a 401 page', () => call('GET', '/api/login', { as: null })],
  ['an error', () => call('GET', '/api/admin/scopes/999999999')],
  ['an unknown path', () => call('GET', '/api/nothing')],
  ['an unsupported method', () => call('PATCH', '/api/login')],
  ['the API description', () => call('GET', '/api/openapi.json', { as: null })],
  ['the health check', () => call('GET', '/healthz', { as: null })],
  ['the session of nobody', () => call('GET', '/api/session', { as: null })],
]

test.each(answers)('%s has headers against framing, sniffing and referrers', async (_, ask) => {
  const { headers } = await ask()
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('strict-transport-security')).toBeNull()
  expect(headers.get('x-powered-by')).toBeNull()
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

test('with https the API and pages send HSTS', async () => {
  await withSettings({ BASE_URL: 'https://console.example' }, async () => {
    const { headers } = await call('GET', '/api/login')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect(pageProtection('n')['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  })
})

test('a page runs inline scripts and styles only with a nonce, loads no foreign resources, and cannot be framed', () => {
  const headers = pageProtection('the-nonce')
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toContain("script-src 'self' 'nonce-the-nonce' 'strict-dynamic'")
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringMatching(/^(([a-z-]+)=\(\)(, |$))+$/),
  })
})
