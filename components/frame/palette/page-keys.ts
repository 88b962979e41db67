import type { pageKeys } from './shortcuts'

/* The shortcuts of the open screen. Elements declare their key by `data-key`. */

type PageKey = keyof typeof pageKeys

const isVisible = (element: Element): boolean => element.checkVisibility()

const screen = (): HTMLElement | null => document.querySelector('main')

/** The rows of all tables. A tree has keys of its own, and an empty table has one cell. */
const rowsOf = (content: HTMLElement): HTMLTableRowElement[] =>
  [...content.querySelectorAll<HTMLTableRowElement>('table:not([role=treegrid]) tbody tr')].filter(
    (row) => row.cells.length > 1 && isVisible(row),
  )

const openRow = (): HTMLTableRowElement | null | undefined => document.activeElement?.closest('tbody tr')

function step(content: HTMLElement, by: 1 | -1): HTMLElement | undefined {
  const rows = rowsOf(content)
  const current = openRow()
  const at = current ? rows.indexOf(current) : -1
  const row = at === -1 ? rows[0] : rows[at + by]
  const name = row?.querySelector<HTMLElement>('th') ?? row?.cells[0]
  return name?.querySelector<HTMLElement>('a, button') ?? name
}

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return Boolean(element)
}

function click(element: HTMLElement | null | undefined): boolean {
  element?.click()
  return Boolean(element)
}

const declared = (within: HTMLElement, key: PageKey): HTMLElement | undefined =>
  [...within.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)].find(isVisible)

/** A message stands after the content, and goes before an open event with an undo of its own. */
const inMessage = (key: PageKey): boolean =>
  click([...document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)].findLast(isVisible))

const act: Record<PageKey, (content: HTMLElement) => boolean> = {
  j: (content) => focus(step(content, 1)),
  k: (content) => focus(step(content, -1)),
  x: () => {
    const before = document.activeElement
    const isSelected = click(openRow()?.querySelector<HTMLElement>('input[type=checkbox], input[type=radio]'))
    // The click moves the focus to the box, where Enter would not open the row.
    if (before instanceof HTMLElement) before.focus()
    return isSelected
  },
  '/': (content) => focus(declared(content, '/')),
  n: (content) => click(declared(content, 'n')),
  e: (content) => {
    const row = openRow()
    return click((row && declared(row, 'e')) ?? declared(content, 'e'))
  },
  z: () => inMessage('z'),
  o: () => inMessage('o'),
}

const isPageKey = (key: string): key is PageKey => Object.hasOwn(act, key)

/** Runs the key's action on the open screen. False if the key has none here. */
export function pressOnPage(key: string): boolean {
  const content = screen()
  return content !== null && isPageKey(key) && act[key](content)
}
