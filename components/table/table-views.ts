import { z } from 'zod'
import { parseKept, usePreference } from '#lib/preferences/preferences.queries'

/** How many views a table may have, how long their names, and how large all of them together. */
export const viewLimits = { views: 30, name: 60 }
const mostBytes = 8 * 1024

const savedViews = z.array(
  z.object({
    name: z.string(),
    /** From `TableState`: filters, order, number of rows. */
    view: z.string(),
    /** The screen that it belongs to, where it names something that is only there. */
    path: z.string().optional(),
  }),
)
export type SavedView = z.infer<typeof savedViews>[number]

const isNamed =
  (name: string) =>
  (view: SavedView): boolean =>
    view.name.toLowerCase() === name.toLowerCase()

/** The view of that name, in whatever case. */
export const viewNamed = (views: readonly SavedView[], name: string): SavedView | undefined =>
  views.find(isNamed(name))

/** With this one among them, in place of the one of its name. */
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

/** Why a view of that name cannot be among the views. */
export function faultOfView(
  name: string,
  next: readonly SavedView[],
): 'missing' | 'long' | 'many' | 'large' | undefined {
  if (name === '') return 'missing'
  if (name.length > viewLimits.name) return 'long'
  if (next.length > viewLimits.views) return 'many'
  if (new TextEncoder().encode(JSON.stringify(next)).length > mostBytes) return 'large'
}

/** The views that this user has saved of a table, and how to save others. */
export function useSavedViews(table: string): [SavedView[], (views: readonly SavedView[]) => void] {
  const [kept, keep] = usePreference(`views:${table}`)
  return [parseKept(savedViews, kept) ?? [], (views) => keep(views.length === 0 ? '' : JSON.stringify(views))]
}
