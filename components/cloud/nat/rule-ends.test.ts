import { expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { endText, ruleEnds } from './rule-ends'

const rule = (snat: boolean, ports: Partial<NatRuleDocument> = {}): NatRuleDocument => ({
  id: 1,
  snat,
  enabled: true,
  ...noNotes,
  deviceState: 'unmanaged',
  ...ports,
  links: [
    { rel: 'original', href: '/o', title: snat ? '10.0.0.5' : '203.0.113.7' },
    { rel: 'translated', href: '/t', title: snat ? '203.0.113.7' : '10.0.0.5' },
  ],
})

test('a SNAT rule turns the private address into the NAT IP', () => {
  expect(ruleEnds(rule(true))).toEqual({
    original: { address: '10.0.0.5', port: undefined, isNatIp: false },
    translated: { address: '203.0.113.7', port: undefined, isNatIp: true },
  })
})

test('a DNAT rule turns a port of the NAT IP into one of the private address', () => {
  const { original, translated } = ruleEnds(
    rule(false, { protocol: 'TCP', originalPort: 443, translatedPort: 8443 }),
  )
  expect([original.isNatIp, translated.isNatIp]).toEqual([true, false])
  expect([endText(original), endText(translated)]).toEqual(['203.0.113.7:443', '10.0.0.5:8443'])
})

test('an IPv6 address with a port stands in brackets', () => {
  expect(endText({ address: '2001:db8::1', port: 80, isNatIp: true })).toBe('[2001:db8::1]:80')
  expect(endText({ address: '2001:db8::1', port: undefined, isNatIp: true })).toBe('2001:db8::1')
})
