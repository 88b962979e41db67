import { z } from 'zod'
import { parseKept, usePreference } from '#lib/caller/preferences/preferences.queries'

/** The largest number of saved views per table, and the longest name. */
export const viewLimits = { views: 30, name: 60 }
const mostBytes = 8 * 1024

const savedViews = z.array(
  z.object({
    name: z.string(),
    /** `viewText` of the table: filters, order, page size. */
    view: z.string(),
    /** The only screen where the view makes sense; absent if all screens of the table can open it. */
    path: z.string().optional(),
  }),
)
export type SavedView = z.infer<typeof savedViews>[number]

const isNamed =
  (name: string) =>
  (view: SavedView): boolean =>
    view.name.toLowerCase() === name.toLowerCase()

export const viewNamed = (views: readonly SavedView[], name: string): SavedView | undefined =>
  views.find(isNamed(name))

/** Adds a view, or replaces the one of the same name. */
export const withView = (
  views: readonly SavedView[],
  added: SavedView,
  collator: Pick<Intl.Collator, 'compare'>,
): SavedView[] => {
  const is = isNamed(added.name)
  return [...views.filter((view) => !is(view)), added].sort((one, other) =>
    collator.compare(one.name, other.name),
  )
}

/** Why the views cannot be saved with a view of this name. */
export function faultOfView(
  name: string,
  next: readonly SavedView[],
): 'missing' | 'long' | 'many' | 'large' | undefined {
  if (name === '') return 'missing'
  if (name.length > viewLimits.name) return 'long'
  if (next.length > viewLimits.views) return 'many'
  if (new TextEncoder().encode(JSON.stringify(next)).length > mostBytes) return 'large'
}

/** The user's saved views of a table, and a function that replaces them. */
export function useSavedViews(table: string): [SavedView[], (views: readonly SavedView[]) => void] {
  const [saved, save] = usePreference(`views:${table}`)
  return [
    parseKept(savedViews, saved) ?? [],
    (views) => save(views.length === 0 ? '' : JSON.stringify(views)),
  ]
}
