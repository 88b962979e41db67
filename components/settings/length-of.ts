import type { useFormatter } from 'use-intl'

type Format = Pick<ReturnType<typeof useFormatter>, 'number' | 'list'>

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `1 hour, 30 minutes`. */
export function lengthOf(format: Format, seconds: number): string {
  let left = seconds
  const parts: string[] = []
  for (const [unit, length] of units) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0 || (unit === 'second' && parts.length === 0))
      parts.push(format.number(count, { style: 'unit', unit, unitDisplay: 'long' }))
  }
  return format.list(parts, { type: 'unit' })
}
