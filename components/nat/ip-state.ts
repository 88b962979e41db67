import { linkOf } from '#lib/http/view'
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
