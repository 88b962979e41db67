import { thingIcons } from './icons'
import { type Item, matching } from './items'
import { useCommands } from './use-commands'
import { useFound } from './use-found'
import { keyOf, type RecentThing, useRecent } from './use-recent'

/** What the palette offers for what is typed: the recent things for nothing, else whatever fits it. */
export function useItems(typed: string) {
  const commands = matching(useCommands(), typed)
  const { things, ...search } = useFound(typed)
  const recent = useRecent()
  const remembered = typed.trim() === '' ? recent.things : []
  const items: Item[] = [
    ...remembered.map((thing) => itemOf(thing, 'recent')),
    ...commands,
    ...things.map((thing) => itemOf(thing, thing.type)),
  ]
  const note = ({ thing }: Item) => {
    if (thing) recent.remember(thing)
  }
  return { items, note, forget: remembered.length > 0 ? recent.forget : undefined, ...search }
}

const itemOf = (thing: RecentThing, group: Item['group']): Item => ({
  id: `${group} ${keyOf(thing)}`,
  group,
  text: thing.name,
  detail: thing.detail,
  icon: thingIcons[thing.type],
  to: thing.to,
  thing,
})
