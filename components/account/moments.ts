const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

const MINUTE = 60
const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
]

/** `2 hours ago`. Clocks differ a little: what lies ahead is now. */
export function timeAgo(moment: Date, now: Date): string {
  const seconds = (now.getTime() - moment.getTime()) / 1000
  const [unit, length] = units.find(([, atLeast]) => seconds >= atLeast) ?? []
  return unit && length ? relative.format(-Math.floor(seconds / length), unit) : 'just now'
}

/** `Nov 21, 2026, 7:05 AM`, where the reader is. */
export const exactTime = (moment: Date): string => exact.format(moment)
