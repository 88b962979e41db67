import { linkOf } from '#lib/http/view'
import type { NatRuleDocument } from '#lib/nat/rules.schema'
import type { Say } from '#lib/words/words'

/** One side of a rule: an address with its port, if the rule is about one port. Who does not see the machine is not told the private one. */
export type RuleEnd = { address: string | undefined; port: number | undefined; isNatIp: boolean }

/**
 * What a packet carries before and after the rule. SNAT turns the private source into the NAT IP, DNAT the NAT IP that
 * was called into the private destination.
 */
export function ruleEnds(rule: NatRuleDocument): { original: RuleEnd; translated: RuleEnd } {
  const address = (rel: string) => linkOf(rule, rel)?.title
  return {
    original: { address: address('original'), port: rule.originalPort, isNatIp: !rule.snat },
    translated: { address: address('translated'), port: rule.translatedPort, isNatIp: rule.snat },
  }
}

/** RFC 3986 §3.2.2: an IPv6 address stands in brackets before a port. */
export function endText({ address = '', port }: RuleEnd): string {
  if (port === undefined) return address
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** What a rule is called for who cannot see it. */
export function ruleName(say: Say<'nat.rules'>, rule: NatRuleDocument): string {
  const { original, translated } = ruleEnds(rule)
  const text = (end: typeof original) => (end.address === undefined ? say('hidden') : endText(end))
  return say('name', {
    type: rule.snat ? 'SNAT' : 'DNAT',
    original: text(original),
    translated: text(translated),
  })
}
