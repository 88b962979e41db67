import type { ReactNode } from 'react'
import type { SearchType } from '#lib/state/search/search.schema'
import type { RecentThing } from './use-recent'

type Group = 'recent' | 'screens' | 'range' | 'actions' | 'thing' | SearchType

/** One line of the palette: leads to a screen, or runs an action. */
export type Item = {
  id: string
  group: Group
  text: string
  /** Distinguishes items of the same name. */
  detail?: string | undefined
  /** Words that find the item although they are not shown. */
  keywords?: string
  icon: ReactNode
  /** The shortcut: keys pressed one after the other. */
  keys?: readonly string[] | undefined
  /** The object that the line leads to. */
  thing?: RecentThing
} & ({ to: string; act?: undefined } | { to?: undefined; act: () => void })

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** The items that contain every typed word, ignoring case and accents; first the one whose shortcut is typed. */
export function matching<T extends Pick<Item, 'text' | 'detail' | 'keywords' | 'keys'>>(
  items: readonly T[],
  typed: string,
): T[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  const isTyped = ({ keys }: T) => keys !== undefined && keys.join('') === words.join('')
  const found = items.filter(({ text, detail = '', keywords = '' }) => {
    const searched = fold(`${text} ${detail} ${keywords}`)
    return words.every((word) => searched.includes(word))
  })
  return [...items.filter(isTyped), ...found.filter((item) => !isTyped(item))]
}

type Section = { group: Group; items: Item[] }

/** The items in groups, in the order of the first item of each group. */
export function sectionsOf(items: readonly Item[]): Section[] {
  const sections = new Map<Group, Item[]>()
  for (const item of items) sections.set(item.group, [...(sections.get(item.group) ?? []), item])
  return [...sections].map(([group, grouped]) => ({ group, items: grouped }))
}

/** The index of the first item in the next (1) or previous (-1) group. */
export function stepOfGroup(items: readonly Item[], at: number, step: 1 | -1): number {
  const starts = items.flatMap(({ group }, index) => (group === items[index - 1]?.group ? [] : [index]))
  const own = starts.findLastIndex((start) => start <= at)
  // Upwards, the first stop is the beginning of the same group.
  const target = step === -1 && starts[own] !== at ? own : own + step
  return starts[(target + starts.length) % starts.length] ?? 0
}
