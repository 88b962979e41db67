import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { parseKept, preferencesQuery, usePreference } from '#lib/caller/preferences/preferences.queries'

const tablePreferences = z.object({
  size: z.int().optional(),
  wrap: z.boolean().optional(),
  density: z.enum(['comfortable', 'compact']).optional(),
  columns: z.array(z.object({ id: z.string(), visible: z.boolean() })).optional(),
})
export type TablePreferences = z.infer<typeof tablePreferences>

const preferenceName = (table: string) => `table:${table}`

/** The user's preferences for the table, if they are loaded. */
export const tablePreferencesIn = (client: QueryClient, table: string): TablePreferences =>
  parseKept(tablePreferences, client.getQueryData(preferencesQuery.queryKey)?.[preferenceName(table)]) ?? {}

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
