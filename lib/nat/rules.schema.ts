import { z } from 'zod'
import { flag, pageQuery } from '#lib/http/paging'
import { links } from '#lib/http/view'

/**
 * What a NAT rule looks like to clients. SNAT: original = private IP, translated = NAT IP, no ports, no protocol.
 * DNAT: original = NAT IP, translated = private IP; no ports = all ports.
 */
export const natRuleDocument = z.object({
  links,
  id: z.int(),
  snat: z.boolean(),
  protocol: z.enum(['TCP', 'UDP', 'ANY']).optional(),
  originalPort: z.int().optional(),
  translatedPort: z.int().optional(),
})
export type NatRuleDocument = z.infer<typeof natRuleDocument>

export const natRuleOrders = [
  'ip',
  'protocol',
  'originalport',
  'translatedport',
  'snat',
  'virtualmachine',
] as const

export const ruleQuery = pageQuery(...natRuleOrders).extend({ snat: flag('snat').optional() })
export type RuleQuery = z.infer<typeof ruleQuery>
