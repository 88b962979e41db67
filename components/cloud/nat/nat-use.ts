/** The datacenters on the home screen. */
export const firstDatacenters = { limit: 6, by: 'name' }

type Counts = { ips: number; usedIps: number }

/** Whole percent of the IPs that are in use; the last free one keeps it below 100. */
export const percentOf = ({ ips, usedIps }: Counts): number =>
  ips === 0 ? 0 : Math.floor((usedIps / ips) * 100)

/** From this percentage on, it is time to plan the next network. */
export const nearlyFull = 80

export type Fullness = 'free' | 'nearlyFull' | 'full'

export function fullnessOf(counts: Counts): Fullness {
  const percent = percentOf(counts)
  if (percent === 100) return 'full'
  return percent >= nearlyFull ? 'nearlyFull' : 'free'
}
