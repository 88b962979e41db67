import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { parseKept, preferencesQuery, usePreference } from '#lib/caller/preferences/preferences.queries'
import { presentOf } from '#lib/client/past-client'

/** Without a choice the rows are as high as the console's density says. */
export const rowHeights = { compact: '24px', normal: '28px', roomy: '36px' } as const

const densities = ['compact', 'normal', 'roomy'] as const

const tablePreferences = z.object({
  wrap: z.boolean().optional(),
  // Other values were kept by older versions.
  density: z.enum(densities).optional().catch(undefined),
  columns: z.array(z.object({ id: z.string(), visible: z.boolean() })).optional(),
  /** In pixels. Empty: each column is as wide as its content. */
  widths: z.record(z.string(), z.number()).optional(),
})
export type TablePreferences = z.infer<typeof tablePreferences>

const preferenceName = (table: string) => `table:${table}`

/** The user's preferences for the table, if they are loaded. */
export const tablePreferencesIn = (client: QueryClient, table: string): TablePreferences =>
  parseKept(
    tablePreferences,
    presentOf(client).getQueryData(preferencesQuery.queryKey)?.[preferenceName(table)],
  ) ?? {}

/** The user's preferences for the table, which follow them to every device. */
export function useTablePreferences(table: string): [TablePreferences, (changes: TablePreferences) => void] {
  const client = useQueryClient()
  const name = preferenceName(table)
  const [saved, save] = usePreference(name)
  const preferences = useMemo(() => parseKept(tablePreferences, saved) ?? {}, [saved])
  return [
    preferences,
    (changes) => {
      // Merged into the newest preferences: another change may have been saved since this was rendered.
      save(JSON.stringify({ ...tablePreferencesIn(client, table), ...changes }))
    },
  ]
}
