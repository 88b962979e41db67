import { type KeyboardEvent, useState } from 'react'
import { type Item, stepOfGroup } from './items'

/** The chosen line, and the keys that choose another line or run it. */
export function useChoice(items: readonly Item[], onRun: (item: Item) => void) {
  const [chosen, setChosen] = useState<string>()
  // The next letter may remove the chosen line: then the first line is chosen.
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  )
  const active = items[at]
  const choose = (place: number) => setChosen(items[(place + items.length) % items.length]?.id)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const act = {
      ArrowDown: () => choose(at + 1),
      ArrowUp: () => choose(at - 1),
      PageDown: () => choose(stepOfGroup(items, at, 1)),
      PageUp: () => choose(stepOfGroup(items, at, -1)),
      Enter: () => active && onRun(active),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return { active, onKeyDown, point: ({ id }: Item) => setChosen(id), toFirst: () => setChosen(undefined) }
}
