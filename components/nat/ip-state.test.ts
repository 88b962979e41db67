import { expect, test } from 'vitest'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { ipState } from './ip-state'

const holder = { rel: 'virtualdatacenter', href: '/api/cloud/virtualdatacenters/3', title: 'web' }

const ip = (changes: Partial<NatIpDocument> = {}): NatIpDocument => ({
  id: 1,
  ip: '203.0.113.7',
  available: true,
  quarantine: false,
  defaultSnat: false,
  ipv6: false,
  networkName: 'public',
  links: [],
  ...changes,
})

test.each([
  ['free', ip()],
  ['attached', ip({ links: [holder] })],
  ['unavailable', ip({ available: false })],
  ['quarantine', ip({ quarantine: true, available: false, links: [holder] })],
])('%s', (state, document) => {
  expect(ipState(document, true)).toBe(state)
})

test('who does not see all enterprises is not told that an IP is free', () => {
  expect(ipState(ip(), false)).toBe('unknown')
  expect(ipState(ip({ links: [holder] }), false)).toBe('attached')
})

test('a default SNAT is attached, whoever holds it', () => {
  expect(ipState(ip({ defaultSnat: true }), false)).toBe('attached')
})
