import { expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { reachOf, trialOf } from './reach'

const inward = (natIp: string, fields: Partial<NatRuleDocument> = {}): NatRuleDocument => ({
  links: [{ rel: 'original', href: '/1', title: natIp, type: 'x' }],
  id: 1,
  enabled: true,
  ...noNotes,
  snat: false,
  protocol: 'TCP',
  originalPort: 443,
  ...fields,
})

test('a rule is reached from the first connection that its gateway counts', () => {
  const reach = (fields: Partial<NatRuleDocument>) => reachOf(inward('203.0.113.5', fields))
  expect(reach({ deviceState: 'active', packets: 0 })).toBe('notYet')
  expect(reach({ deviceState: 'pending', packets: 0 })).toBe('notYet')
  expect(reach({ deviceState: 'active', packets: 1 })).toBe('yes')
  // The gateway has counted a connection before it fell silent.
  expect(reach({ deviceState: 'silent', packets: 3 })).toBe('yes')
})

test('a rule that the gateway does not carry is not reached, and without a gateway it is not known', () => {
  const reach = (deviceState: NatRuleDocument['deviceState']) =>
    reachOf(inward('203.0.113.5', { deviceState }))
  expect(reach('refused')).toBe('no')
  expect(reach('drifted')).toBe('no')
  expect(reach('silent')).toBe('no')
  expect(reach('unmanaged')).toBe('unknown')
  expect(reach(undefined)).toBe('unknown')
})

test('the command goes through the rule', () => {
  expect(trialOf(inward('203.0.113.5'))).toBe('nc -vz 203.0.113.5 443')
  expect(trialOf(inward('2001:db8::5', { protocol: 'UDP' }))).toBe('nc -vzu 2001:db8::5 443')
  expect(trialOf(inward('203.0.113.5', { originalPort: undefined }))).toBe('nc -vz 203.0.113.5 PORT')
  expect(trialOf(inward('203.0.113.5', { protocol: 'ANY', originalPort: undefined }))).toBe(
    'ping -c 3 203.0.113.5',
  )
  const outward: NatRuleDocument = {
    links: [{ rel: 'translated', href: '/1', title: '2001:db8::5', type: 'x' }],
    id: 1,
    enabled: true,
    ...noNotes,
    snat: true,
  }
  expect(trialOf(outward)).toBe('ping -c 3 2001:db8::1')
})
