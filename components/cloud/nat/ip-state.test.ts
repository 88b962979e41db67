import { expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { changesFor, ipStates, refusalOf } from './ip-state'

const holder = { rel: 'virtualdatacenter', href: '/api/cloud/virtualdatacenters/3', title: 'web' }

const ip = (changes: Partial<NatIpDocument> = {}): NatIpDocument => ({
  id: 1,
  ip: '203.0.113.7',
  available: true,
  quarantine: false,
  defaultSnat: false,
  ipv6: false,
  networkName: 'public',
  rules: 0,
  ...noNotes,
  links: [],
  ...changes,
})

test.each([
  ['free', ip()],
  ['attached', ip({ links: [holder] })],
  ['unavailable', ip({ available: false })],
  ['attached quarantine unavailable', ip({ quarantine: true, available: false, links: [holder] })],
])('%s', (states, document) => {
  expect(ipStates(document, true).join(' ')).toBe(states)
})

test('a free IP is hidden from callers who cannot see all enterprises', () => {
  expect(ipStates(ip(), false)).toEqual(['unknown'])
  expect(ipStates(ip({ links: [holder] }), false)).toEqual(['attached'])
})

test('a default SNAT is attached, whatever its holder', () => {
  expect(ipStates(ip({ defaultSnat: true }), false)).toEqual(['attached'])
})

const free: NatIpDocument = {
  links: [],
  id: 1,
  ip: '203.0.113.1',
  available: true,
  quarantine: false,
  defaultSnat: false,
  ipv6: false,
  networkName: 'Public',
  rules: 0,
  ...noNotes,
}
const held = { ...free, links: [{ rel: 'virtualdatacenter', href: '/api/cloud/virtualdatacenters/1' }] }

test('only the changes that make a difference are offered', () => {
  expect(changesFor(free)).toEqual(['makeUnavailable', 'quarantine'])
  expect(changesFor({ ...free, available: false, quarantine: true })).toEqual([
    'makeAvailable',
    'endQuarantine',
  ])
})

test('a change that the server would refuse is disabled, with the first fix', () => {
  expect(refusalOf('delete', free)).toBeUndefined()
  expect(refusalOf('delete', held)).toBe('heldNoDelete')
  expect(refusalOf('delete', { ...free, defaultSnat: true })).toBe('heldNoDelete')
  expect(refusalOf('delete', held, 2)).toBe('deleteRulesFirst')
  expect(refusalOf('makeUnavailable', held, 2)).toBe('deleteRulesFirst')
  expect(refusalOf('makeUnavailable', held, 0)).toBeUndefined()
  expect(refusalOf('quarantine', held, 2)).toBeUndefined()
})
