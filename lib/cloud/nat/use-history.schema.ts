import { z } from 'zod'
import { queryNumber } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

/** Days that a history goes back. Older ones are removed. */
export const KEPT_DAYS = 90

export const useHistoryQuery = z.object({ days: queryNumber('days', { most: KEPT_DAYS, usual: 30 }) })
export type UseHistoryQuery = z.infer<typeof useHistoryQuery>

/** The totals of a network at the end of a day (UTC), today: now. */
const useDay = z.object({
  day: z.iso.date().meta({ example: '2026-11-20' }),
  ips: z.int(),
  availableIps: z.int(),
  usedIps: z.int(),
  assignable: z.int().optional().meta({
    description:
      'How many addresses could be in use. Missing above 2^53 - 1, and on days before this was kept',
  }),
})
export type UseDay = z.infer<typeof useDay>

/** One entry for each day up to today, fewer if the network is younger. */
export const useHistoryDocument = z.object({ links, days: z.array(useDay) })
export type UseHistoryDocument = z.infer<typeof useHistoryDocument>
