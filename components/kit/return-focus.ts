import { useEffect } from 'react'
import { stopOf, stopsOf } from './grid-keys'

/*
 * Where the focus goes when a dialog closes. React Aria returns it to the element that had it when the dialog was rendered: this may be an
 * entry of a closed menu, a dialog that only waited for data, or a row that is gone.
 */

const over = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], dialog'

/** The element of the screen that had the focus last. Nothing that opens over the screen counts. */
let last: HTMLElement | undefined

/** Notes what has the focus. Returns the function that ends it. */
export function watchFocus(): () => void {
  const note = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(over)) last = target
  }
  document.addEventListener('focusin', note)
  return () => document.removeEventListener('focusin', note)
}

/** What the form of the open dialog has made or changed, by its id. */
let made: number | undefined

/** The row of this resource takes the focus when the open dialog closes. */
export function focusMade(saved: unknown): void {
  if (typeof saved !== 'object' || saved === null || !('id' in saved)) return
  if (typeof saved.id === 'number' && isOpen()) made = saved.id
}

const isOpen = (): boolean => document.querySelector('[data-veil]') !== null

/** `row`, `column` and `stop` are where the opener is in the grid, or -1. */
type Place = { opener: HTMLElement; grid: HTMLElement | null; row: number; column: number; stop: number }

const grids = '[role="grid"], [role="treegrid"]'

/** The list of an element: around it, or the one that is closest. */
function gridOf(opener: HTMLElement): HTMLElement | null {
  for (let around: HTMLElement | null = opener; around; around = around.parentElement) {
    const grid = around.matches(grids) ? around : around.querySelector<HTMLElement>(grids)
    if (grid) return grid
  }
  return null
}

const rowsOf = (grid: HTMLElement) => [
  ...grid.querySelectorAll<HTMLTableRowElement>('tbody tr:not([aria-hidden])'),
]

function placeOf(opener: HTMLElement): Place {
  const grid = gridOf(opener)
  const row = opener.closest('tr')
  const cell = opener.closest<HTMLTableCellElement>('th, td')
  return {
    opener,
    grid,
    row: grid && row ? rowsOf(grid).indexOf(row) : -1,
    column: cell?.cellIndex ?? -1,
    stop: cell ? stopsOf(cell).indexOf(opener) : -1,
  }
}

function stopIn(row: HTMLTableRowElement | undefined, { column, stop }: Place): HTMLElement | undefined {
  const cell = row?.cells[column] ?? row?.querySelector('th') ?? row?.cells[0]
  return (cell && stopsOf(cell)[stop]) ?? stopOf(cell)
}

/** The opener; if it is gone the row in its place, or else the list. */
function backTo(place: Place): HTMLElement | null | undefined {
  const { opener, grid, row } = place
  if (opener.isConnected) return opener
  const rows = grid && row >= 0 ? rowsOf(grid) : []
  return stopIn(rows[Math.min(row, rows.length - 1)], place) ?? grid?.querySelector('[tabindex="0"]')
}

/** In frames. The list is read again after a change, and the row may appear, move or go. */
const patience = 120

function settle(place: Place): void {
  const wanted = made
  made = undefined
  let given: Element | null = null
  const look = (frames: number) => {
    const active = document.activeElement
    const isLost = active === document.body
    if (isOpen() || !(isLost || active === place.opener || active === given)) return
    const row =
      wanted === undefined ? null : place.grid?.querySelector<HTMLTableRowElement>(`tr[data-id="${wanted}"]`)
    if (row) return stopIn(row, place)?.focus()
    if (isLost) {
      given = backTo(place) ?? null
      if (given instanceof HTMLElement) given.focus()
    }
    if (frames > 0) requestAnimationFrame(() => look(frames - 1))
  }
  // React Aria gives the focus back in the first frame.
  requestAnimationFrame(() => requestAnimationFrame(() => look(patience)))
}

/** While the dialog is mounted. */
export function useReturnFocus(): void {
  useEffect(() => {
    const place = last && placeOf(last)
    return () => {
      if (place) settle(place)
    }
  }, [])
}
