import type { AddressCell } from '#lib/nat/networks.schema'
import type { MapCell } from './map-blocks'

/** What a cell is, as the legend names it. */
export type CellState = 'free' | 'attached' | 'default' | 'unavailable' | 'quarantine' | 'absent'

export const cellStates: readonly CellState[] = [
  'free',
  'attached',
  'default',
  'unavailable',
  'quarantine',
  'absent',
]

/** Of one address: what matters most about it, as in the list of IPs. */
export function addressState({ held }: MapCell): CellState {
  if (!held) return 'absent'
  if (held.quarantine > 0) return 'quarantine'
  if (held.available === 0) return 'unavailable'
  if (held.defaultSnat > 0) return 'default'
  return held.attached > 0 ? 'attached' : 'free'
}

type Share = { state: CellState; part: number }

/**
 * Of a block: which part of its IPs is in which state. The counts overlap (an IP in quarantine may be attached), so what is
 * free is what none of the others claims.
 */
export function blockShares(held: AddressCell): Share[] {
  const unavailable = held.ips - held.available
  const attached = held.attached - held.defaultSnat
  const free = Math.max(0, held.ips - held.attached - unavailable - held.quarantine)
  const counts: [CellState, number][] = [
    ['attached', attached],
    ['default', held.defaultSnat],
    ['free', free],
    ['unavailable', unavailable],
    ['quarantine', held.quarantine],
  ]
  const all = counts.reduce((sum, [, count]) => sum + Math.max(0, count), 0)
  return counts.flatMap(([state, count]) => (count > 0 ? [{ state, part: count / all }] : []))
}

// So little that one could not see it is shown as this much.
const least = 0.18

/** How high a block is filled: the part of its addresses that are IPs. */
export const blockFill = (ips: number, size: bigint): number =>
  Math.max(least, Math.min(1, ips / Number(size)))
