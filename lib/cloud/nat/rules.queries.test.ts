import { afterEach, expect, test, vi } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { switchNatRule } from './rules.queries'
import type { NatRuleDocument } from './rules.schema'

afterEach(() => vi.unstubAllGlobals())

test('a rule that another person has changed since the list was loaded keeps its ports when it is disabled', async () => {
  const path = '/api/cloud/rules/7'
  const listed: NatRuleDocument = {
    links: [{ rel: 'self', href: `http://localhost${path}`, type: 'natrule' }],
    id: 7,
    enabled: true,
    ...noNotes,
    snat: false,
    protocol: 'TCP',
    originalPort: 80,
    translatedPort: 8080,
  }
  const now = { ...listed, originalPort: 81 }
  const sent: RequestInit[] = []
  vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
  vi.stubGlobal('fetch', async (at: string, options: RequestInit) => {
    expect(at).toBe(path)
    sent.push(options)
    return options.method === 'PUT'
      ? new Response(String(options.body))
      : Response.json(now, { headers: { etag: '"81"' } })
  })
  expect(await switchNatRule({ rule: listed, enabled: false })).toEqual({ ...now, enabled: false })
  expect(sent[1]).toMatchObject({ method: 'PUT', headers: { 'If-Match': '"81"' } })
})
