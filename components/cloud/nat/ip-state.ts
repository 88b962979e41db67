import type { NatIpChange } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { linkOf } from '#lib/ground/http/view'

export type IpState = 'free' | 'attached' | 'unavailable' | 'quarantine' | 'unknown'

/**
 * All states of an IP. Users who do not see all enterprises do not see every holder: an IP without a visible holder is `unknown` to them,
 * not free.
 */
export function ipStates(ip: NatIpDocument, seesAllEnterprises: boolean): [IpState, ...IpState[]] {
  const [first, ...others] = [
    ...(isHeld(ip) ? (['attached'] as const) : []),
    ...(ip.quarantine ? (['quarantine'] as const) : []),
    ...(ip.available ? [] : (['unavailable'] as const)),
  ]
  return first ? [first, ...others] : [seesAllEnterprises ? 'free' : 'unknown']
}

export const ipChanges = {
  makeAvailable: { available: true },
  makeUnavailable: { available: false },
  quarantine: { quarantine: true },
  endQuarantine: { quarantine: false },
} as const satisfies Record<string, NatIpChange>

export type IpChange = keyof typeof ipChanges

export const oppositeOf = {
  makeAvailable: 'makeUnavailable',
  makeUnavailable: 'makeAvailable',
  quarantine: 'endQuarantine',
  endQuarantine: 'quarantine',
} as const satisfies Record<IpChange, IpChange>

export const allChanges = Object.keys(ipChanges) as IpChange[]

/** The changes that would have an effect. */
export const changesFor = ({ available, quarantine }: NatIpDocument): IpChange[] => [
  available ? 'makeUnavailable' : 'makeAvailable',
  quarantine ? 'endQuarantine' : 'quarantine',
]

/** True if the IP has a visible holder; then it cannot be deleted. */
export const isHeld = (ip: NatIpDocument): boolean =>
  ip.defaultSnat || linkOf(ip, 'virtualdatacenter') !== undefined

/** The reason why the API would refuse the action, if the screen can know it. `rules` is the number of rules of the IP, if known. */
export function refusalOf(
  action: IpChange | 'delete',
  ip: NatIpDocument,
  rules = 0,
): 'deleteRulesFirst' | 'heldNoDelete' | undefined {
  if (rules > 0 && (action === 'delete' || action === 'makeUnavailable')) return 'deleteRulesFirst'
  return action === 'delete' && isHeld(ip) ? 'heldNoDelete' : undefined
}
