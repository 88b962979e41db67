import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { linkOf } from '#lib/ground/http/view'
import { endpointText, portsText } from '#lib/ground/net/endpoints'
import type { Say } from '#lib/words/words'

/** One side of a rule. Without a port it stands for all ports. The private address is hidden from users who cannot see the machine. */
export type RuleEnd = {
  address: string | undefined
  port: number | undefined
  /** The last port of a range. */
  portEnd?: number | undefined
  isNatIp: boolean
}

type Ports = {
  originalPort?: number | undefined
  originalPortEnd?: number | undefined
  translatedPort?: number | undefined
}

/** A range that begins with the same port on both sides keeps each port. */
export const translatedEnd = ({
  originalPort,
  originalPortEnd,
  translatedPort,
}: Ports): number | undefined => (translatedPort === originalPort ? originalPortEnd : undefined)

/** SNAT: from the private IP to the NAT IP. DNAT: from the NAT IP to the private IP. */
export function ruleEnds(rule: NatRuleDocument): { original: RuleEnd; translated: RuleEnd } {
  const address = (rel: string) => linkOf(rule, rel)?.title
  return {
    original: {
      address: address('original'),
      port: rule.originalPort,
      portEnd: rule.originalPortEnd,
      isNatIp: !rule.snat,
    },
    translated: {
      address: address('translated'),
      port: rule.translatedPort,
      portEnd: translatedEnd(rule),
      isNatIp: rule.snat,
    },
  }
}

/** The port or the range of an end; empty: all ports. */
export const portsOf = ({ port, portEnd }: Pick<RuleEnd, 'port' | 'portEnd'>): string =>
  portsText(port, portEnd)

export const endText = ({ address = '', ...end }: RuleEnd): string => endpointText(address, portsOf(end))

/** The name of a rule in messages and for screen readers. */
export function ruleName(say: Say<'nat.rules'>, rule: NatRuleDocument): string {
  const { original, translated } = ruleEnds(rule)
  const text = (end: typeof original) => (end.address === undefined ? say('hidden') : endText(end))
  return say('name', {
    type: rule.snat ? 'SNAT' : 'DNAT',
    original: text(original),
    translated: text(translated),
  })
}
