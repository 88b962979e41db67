import { networkOf, numberOf } from '#lib/gateway/networks'

/* Rules with a range of ports or with sources that miss a packet, in words. */

type Packet = { from: string; protocol: string; port?: number | undefined }
type Rule = {
  rule_id: number | null
  kind: string
  protocol: string | null
  nat_port: number | null
  nat_port_end: number | null
  sources: string | null
}

const isOf = (rule: Rule, { protocol }: Packet): boolean =>
  rule.kind === 'dnat' &&
  (rule.protocol === protocol || (rule.protocol === 'ANY' && (protocol !== 'ANY' || rule.nat_port === null)))

/** How far the port is from the ports of the rule. */
function distance({ nat_port, nat_port_end }: Rule, { port = 0 }: Packet): number {
  if (nat_port === null) return 0
  return Math.max(nat_port - port, port - (nat_port_end ?? nat_port), 0)
}

function lets({ sources }: Rule, from: string): boolean {
  const family = from.includes(':') ? 'ip6' : 'ip'
  const address = numberOf(from)
  return (sources?.split(',') ?? []).some((source) => {
    const network = networkOf(source)
    return network?.family === family && network.first <= address && address <= network.last
  })
}

/** The rules for the packet's port that leave out its source; without one, the rule with the nearest range of ports. */
export function nearMisses(rules: readonly Rule[], packet: Packet): string[] {
  const { from } = packet
  const mine = rules.filter((rule) => isOf(rule, packet))
  const hits = mine.filter((rule) => distance(rule, packet) === 0)
  const closed = hits.filter((rule) => rule.sources !== null && !lets(rule, from))
  if (closed.length > 0)
    return closed.map(({ rule_id }) => `the sources of rule ${rule_id} do not include ${from}`)
  const [nearest] = mine
    .filter((rule) => rule.nat_port_end !== null)
    .toSorted((one, other) => distance(one, packet) - distance(other, packet))
  return nearest && hits.length === 0
    ? [`rule ${nearest.rule_id} covers the ports ${nearest.nat_port} to ${nearest.nat_port_end}`]
    : []
}
