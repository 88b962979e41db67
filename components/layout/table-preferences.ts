import { useMemo, useSyncExternalStore } from 'react'
import { z } from 'zod'

const tablePreferences = z.object({
  size: z.int().optional(),
  wrap: z.boolean().optional(),
  density: z.enum(['comfortable', 'compact']).optional(),
  columns: z.array(z.object({ id: z.string(), visible: z.boolean() })).optional(),
  widths: z.record(z.string(), z.number().positive()).optional(),
})
export type TablePreferences = z.infer<typeof tablePreferences>

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const keyOf = (table: string): string => `table:${table}`

/** A browser may refuse the storage altogether; a table then keeps its usual look. */
function readStored(table: string): string | null {
  try {
    return localStorage.getItem(keyOf(table))
  } catch {
    return null
  }
}

function store(table: string, preferences: TablePreferences): void {
  try {
    localStorage.setItem(keyOf(table), JSON.stringify(preferences))
  } catch {
    return
  }
  for (const listener of listeners) listener()
}

function parse(stored: string | null): TablePreferences {
  if (stored === null) return {}
  try {
    return tablePreferences.safeParse(JSON.parse(stored)).data ?? {}
  } catch {
    return {}
  }
}

/** How this user of this browser likes the table, and how to change that. */
export function useTablePreferences(table: string): [TablePreferences, (changes: TablePreferences) => void] {
  const stored = useSyncExternalStore(subscribe, () => readStored(table))
  const preferences = useMemo(() => parse(stored), [stored])
  return [preferences, (changes) => store(table, { ...parse(readStored(table)), ...changes })]
}
