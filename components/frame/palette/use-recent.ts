import { z } from 'zod'
import { mayOpen, useSession } from '#components/base/session/session'
import { parseKept, usePreference } from '#lib/caller/preferences/preferences.queries'
import { searchTypes } from '#lib/state/search/search.schema'

const recentThings = z.array(
  z.object({
    type: z.enum(searchTypes),
    id: z.int(),
    name: z.string(),
    detail: z.string().optional(),
    to: z.string().startsWith('/'),
  }),
)
export type RecentThing = z.infer<typeof recentThings>[number]

const mostRecent = 6

export const keyOf = ({ type, id }: RecentThing): string => `${type} ${id}`

/** The objects that the user opened last through the palette, on any device. */
export function useRecent() {
  const session = useSession()
  const [text, keep] = usePreference('palette:recent')
  const things = parseKept(recentThings, text) ?? []
  return {
    things: things.filter(({ to }) => mayOpen(session, to)),
    remember: (thing: RecentThing) =>
      keep(
        JSON.stringify(
          [thing, ...things.filter((other) => keyOf(other) !== keyOf(thing))].slice(0, mostRecent),
        ),
      ),
    forget: () => keep(''),
  }
}
