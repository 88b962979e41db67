import { useFormatter, useTranslations } from 'use-intl'
import type { Token } from './table-tokens'

const DAY = 24 * 60 * 60 * 1000

/** Bounds that are offered, in days from today. Any other moment may stand in the address. */
const offered = [1, 7, 14, 30, 90] as const

/** The end of a day in UTC, so that the question is the same all day. */
export const endsWithin = (days: number, now = Date.now()): string =>
  new Date((Math.floor(now / DAY) + 1 + days) * DAY).toISOString()

/** What ends by itself before a moment. */
export function useEndsToken(): Token<'endsbefore'> {
  const say = useTranslations('ends')
  const format = useFormatter()
  const nameOf = (value: string): string =>
    format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'short' })
  const values = offered.map((days) => ({ value: endsWithin(days), label: say('within', { days }) }))
  return {
    key: 'endsbefore',
    label: say('before'),
    search: (text) => ({
      key: ['ends', 'offered', text],
      read: async () => values.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())),
    }),
    name: (value) => ({ key: ['ends', 'named', value], read: async () => nameOf(value) }),
  }
}
