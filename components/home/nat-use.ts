type Counts = { ips: number; usedIps: number }

/** Whole percent of the IPs that are in use; the last free one keeps it below 100. */
export const percentOf = ({ ips, usedIps }: Counts): number =>
  ips === 0 ? 0 : Math.floor((usedIps / ips) * 100)

/** From this percentage on, the network needs an addition soon. */
export const nearlyFull = 90

export type Fullness = 'noIps' | 'free' | 'nearlyFull' | 'full'

export function fullnessOf(counts: Counts): Fullness {
  const percent = percentOf(counts)
  if (counts.ips === 0) return 'noIps'
  if (percent === 100) return 'full'
  return percent >= nearlyFull ? 'nearlyFull' : 'free'
}
