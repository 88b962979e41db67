import type { ReactNode } from 'react'
import type { SearchType } from '#lib/search/search.schema'
import type { RecentThing } from './use-recent'

export type Group = 'recent' | 'screens' | 'actions' | SearchType

/** One line of the palette: it leads somewhere, or does something. */
export type Item = {
  id: string
  group: Group
  text: string
  /** What tells it from others of a like name. */
  detail?: string | undefined
  icon: ReactNode
  /** The object that it leads to. */
  thing?: RecentThing
} & ({ to: string; act?: undefined } | { to?: undefined; act: () => void })

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** The items in which every typed word occurs, whatever its case and accents. */
export function matching<T extends Pick<Item, 'text' | 'detail'>>(items: readonly T[], typed: string): T[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return items.filter(({ text, detail = '' }) => {
    const inIt = fold(`${text} ${detail}`)
    return words.every((word) => inIt.includes(word))
  })
}

type Section = { group: Group; items: Item[] }

/** The items group by group, each group where its first item stands. */
export function sectionsOf(items: readonly Item[]): Section[] {
  const sections = new Map<Group, Item[]>()
  for (const item of items) sections.set(item.group, [...(sections.get(item.group) ?? []), item])
  return [...sections].map(([group, inIt]) => ({ group, items: inIt }))
}

/** Where the first item of the group after (1) or before (-1) the one at this place stands. */
export function stepOfGroup(items: readonly Item[], at: number, step: 1 | -1): number {
  const starts = items.flatMap(({ group }, index) => (group === items[index - 1]?.group ? [] : [index]))
  const own = starts.findLastIndex((start) => start <= at)
  // Upwards first to the beginning of the own group.
  const target = step === -1 && starts[own] !== at ? own : own + step
  return starts[(target + starts.length) % starts.length] ?? 0
}
