import type { AddressCell, AddressMapDocument } from '#lib/cloud/nat/networks.schema'
import { type Cidr, cidrSize, formatCidr, parseCidr } from '#lib/ground/net/addresses'

/** One square of the map: an address, or a block of addresses. Without `held` there is no IP. */
export type MapCell = {
  cidr: string
  isAddress: boolean
  size: bigint
  held: AddressCell | undefined
  /** Compared with now: the cell as it is now, if it differs. */
  now?: MapCell
}

const bitsOf = (version: 4 | 6): 32 | 128 => (version === 4 ? 32 : 128)

/** The cells of the block that the map shows, at most 256, in the order of their addresses. */
export function cellsOf({ block, version, cellPrefix, cells }: AddressMapDocument): MapCell[] {
  const whole = parseCidr(block)
  if (!whole) return []
  const size = 1n << BigInt(bitsOf(version) - cellPrefix)
  const held = new Map(cells.map((cell) => [cell.cidr, cell]))
  return Array.from({ length: Number(cidrSize(whole) / size) }, (_, index) => {
    const first = whole.first + BigInt(index) * size
    const cidr = formatCidr({ version, first, last: first + size - 1n, prefix: cellPrefix })
    return { cidr, isAddress: size === 1n, size, held: held.get(cidr) }
  })
}

/** The map with the faults of its cells, which are read after it. */
export function withFaults(
  map: AddressMapDocument,
  faulty: AddressMapDocument | undefined,
): AddressMapDocument {
  if (faulty?.block !== map.block) return map
  const faults = new Map(faulty.cells.map(({ cidr, errors, drifted }) => [cidr, { errors, drifted }]))
  return { ...map, cells: map.cells.map((cell) => ({ ...cell, ...faults.get(cell.cidr) })) }
}

const facts = [
  'ips',
  'available',
  'attached',
  'quarantine',
  'defaultSnat',
  'virtualDatacenter',
  'enterprise',
] as const

/** The cells of then, each with what it is now if that differs. */
export function withNow(cells: readonly MapCell[], present: AddressMapDocument): MapCell[] {
  const now = new Map(cellsOf(present).map((cell) => [cell.cidr, cell]))
  return cells.map((cell) => {
    const other = now.get(cell.cidr)
    return other && facts.some((name) => cell.held?.[name] !== other.held?.[name])
      ? { ...cell, now: other }
      : cell
  })
}

export const hasFault = ({ held }: MapCell): boolean => (held?.errors ?? 0) + (held?.drifted ?? 0) > 0

/** The address in the CIDR of a cell with only one address. */
export const addressOf = (cidr: string): string => cidr.slice(0, cidr.indexOf('/'))

const step = 8

/** The path from the network to a block: each item lies within the one before, and the block itself is the last. */
export function blocksAround(network: string, block: string): string[] {
  const outer = parseCidr(network)
  const inner = parseCidr(block)
  if (
    !outer ||
    !inner ||
    outer.version !== inner.version ||
    inner.first < outer.first ||
    inner.last > outer.last
  ) {
    return [network]
  }
  const way: string[] = []
  for (let prefix = outer.prefix; prefix < inner.prefix; prefix += step)
    way.push(formatCidr(blockAt(inner, prefix)))
  return [...way, formatCidr(inner)]
}

function blockAt({ version, first }: Cidr, prefix: number): Cidr {
  const hosts = (1n << BigInt(bitsOf(version) - prefix)) - 1n
  return { version, first: first & ~hosts, last: first | hosts, prefix }
}

/** The index of the cell that contains this block or address, or -1. */
export function cellHolding(cells: readonly MapCell[], cidr: string): number {
  const wanted = parseCidr(cidr)
  if (!wanted) return -1
  return cells.findIndex((cell) => {
    const range = parseCidr(cell.cidr)
    return range !== undefined && range.first <= wanted.first && wanted.last <= range.last
  })
}

/** The cell that a key moves the focus to, or undefined if grids do not use this key. */
export function nextCell(
  key: string,
  { at, count, columns, toEdge }: { at: number; count: number; columns: number; toEdge: boolean },
): number | undefined {
  const row = at - (at % columns)
  const targets: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: toEdge ? 0 : row,
    End: toEdge ? count - 1 : Math.min(row + columns, count) - 1,
    PageUp: at % columns,
    PageDown: count - 1 - ((count - 1 - at) % columns),
  }
  const target = targets[key]
  if (target === undefined) return undefined
  return target >= 0 && target < count ? target : at
}

export type CellState = 'free' | 'attached' | 'default' | 'unavailable' | 'quarantine' | 'absent'

export const cellStates: readonly CellState[] = [
  'free',
  'attached',
  'default',
  'unavailable',
  'quarantine',
  'absent',
]

/** The most important fact about an address, as in the list of IPs. */
export function addressState({ held }: MapCell): CellState {
  if (!held) return 'absent'
  if (held.quarantine > 0) return 'quarantine'
  if (held.available === 0) return 'unavailable'
  if (held.defaultSnat > 0) return 'default'
  return held.attached > 0 ? 'attached' : 'free'
}

type Share = { state: CellState; part: number }

/**
 * The share of each state among the IPs of a block. The counts overlap (an IP in quarantine may be attached), so the free IPs are those in
 * no other count.
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

// The smallest height of a block with IPs, so that small values stay visible.
const least = 0.18

/** The height of a block's fill: the share of its addresses that are IPs. */
export const blockFill = (ips: number, size: bigint): number =>
  Math.max(least, Math.min(1, ips / Number(size)))
