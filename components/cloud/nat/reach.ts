import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { linkOf } from '#lib/ground/http/view'

/** `no`: the gateway does not translate as the rule says. `unknown`: no gateway reports counters. */
export type Reach = 'yes' | 'notYet' | 'no' | 'unknown'

export function reachOf({ deviceState = 'unmanaged', packets = 0 }: NatRuleDocument): Reach {
  if (packets > 0) return 'yes'
  if (deviceState === 'unmanaged') return 'unknown'
  return deviceState === 'active' || deviceState === 'pending' ? 'notYet' : 'no'
}

/** RFC 5737 and RFC 3849: addresses for examples, which stand for any host outside. */
export const exampleHosts = { v4: '192.0.2.1', v6: '2001:db8::1' }

/** A command whose packets go through the rule: inwards from any host outside, outwards from the machine. */
export function trialOf(rule: NatRuleDocument): string {
  const natIp = linkOf(rule, rule.snat ? 'translated' : 'original')?.title ?? ''
  if (rule.snat) return `ping -c 3 ${natIp.includes(':') ? exampleHosts.v6 : exampleHosts.v4}`
  if (rule.originalPort === undefined && rule.protocol === 'ANY') return `ping -c 3 ${natIp}`
  return `nc -vz${rule.protocol === 'UDP' ? 'u' : ''} ${natIp} ${rule.originalPort ?? 'PORT'}`
}
