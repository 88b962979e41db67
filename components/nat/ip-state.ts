import { linkOf } from '#lib/http/view'
import type { NatIpChange } from '#lib/nat/ips.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'

export type IpState = 'free' | 'attached' | 'unavailable' | 'quarantine' | 'unknown'

/**
 * What matters most about an IP: may it be used, and is it. Who does not see all enterprises is not told what the
 * others hold: an IP without a holder need not be free then.
 */
export function ipState(ip: NatIpDocument, seesAllEnterprises: boolean): IpState {
  if (ip.quarantine) return 'quarantine'
  if (!ip.available) return 'unavailable'
  if (ip.defaultSnat || linkOf(ip, 'virtualdatacenter')) return 'attached'
  return seesAllEnterprises ? 'free' : 'unknown'
}

/** What can be changed about an IP. */
export const ipChanges = {
  makeAvailable: { available: true },
  makeUnavailable: { available: false },
  quarantine: { quarantine: true },
  endQuarantine: { quarantine: false },
} as const satisfies Record<string, NatIpChange>

export type IpChange = keyof typeof ipChanges

export const allChanges = Object.keys(ipChanges) as IpChange[]

/** Those that would make a difference. */
export const changesFor = ({ available, quarantine }: NatIpDocument): IpChange[] => [
  available ? 'makeUnavailable' : 'makeAvailable',
  quarantine ? 'endQuarantine' : 'quarantine',
]

/** Does somebody hold it, as far as the reader is told? Then it cannot be deleted. */
export const isHeld = (ip: NatIpDocument): boolean =>
  ip.defaultSnat || linkOf(ip, 'virtualdatacenter') !== undefined

/** What stands in the way, as far as the reader is told. `rules`: how many the IP has, where that is known. */
export function refusalOf(
  action: IpChange | 'delete',
  ip: NatIpDocument,
  rules = 0,
): 'deleteRulesFirst' | 'heldNoDelete' | undefined {
  if (rules > 0 && (action === 'delete' || action === 'makeUnavailable')) return 'deleteRulesFirst'
  return action === 'delete' && isHeld(ip) ? 'heldNoDelete' : undefined
}
