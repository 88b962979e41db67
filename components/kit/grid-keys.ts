import type { KeyboardEvent } from 'react'

type Place = { line: number; lines: number; stop: number; stops: number }
/** A stop of the same line, or another line: there the same column, or its first or last one. */
type Move = { stop: number } | { line: number; column?: 'first' | 'last' }

const pageOfLines = 10

/** Where a key leads from a place in a grid (WAI-ARIA APG, "Grid"). Undefined if the key moves nothing. */
export function moveOf(key: string, isFar: boolean, { line, lines, stop, stops }: Place): Move | undefined {
  const toStop = (next: number): Move => ({ stop: Math.max(0, Math.min(stops - 1, next)) })
  const toLine = (next: number): Move => ({ line: Math.max(0, Math.min(lines - 1, next)) })
  switch (key) {
    case 'ArrowRight':
      return toStop(stop + 1)
    case 'ArrowLeft':
      return toStop(stop - 1)
    case 'ArrowDown':
      return toLine(line + 1)
    case 'ArrowUp':
      return toLine(line - 1)
    case 'PageDown':
      return toLine(line + pageOfLines)
    case 'PageUp':
      return toLine(line - pageOfLines)
    case 'Home':
      return isFar ? { line: 0, column: 'first' } : toStop(0)
    case 'End':
      return isFar ? { line: lines - 1, column: 'last' } : toStop(stops - 1)
    default:
      return undefined
  }
}

const controls = 'button, input, a, [role="separator"]'

/** The element of a cell that takes the focus: its control, or the cell itself. */
export const stopOf = (cell: HTMLElement | undefined): HTMLElement | undefined =>
  cell?.querySelector<HTMLElement>(controls) ?? cell

/** The stops of a cell from left to right: a header has its button and its edge. */
export function stopsOf(cell: HTMLTableCellElement): HTMLElement[] {
  const inside = [...cell.querySelectorAll<HTMLElement>(controls)]
  return cell.hasAttribute('tabindex') || inside.length === 0 ? [cell, ...inside] : inside
}

type View = {
  /** Gives the focus to a cell of a row, which may not be in the document. */
  reach: (cell: { index: number; column: number }) => void
  /** Shows the first row, and leaves the focus where it is. */
  showFirst: () => void
}

/** Moves the focus. Returns whether the key means a move. */
export function moveInGrid(
  grid: HTMLTableElement,
  { key, ctrlKey, metaKey, target }: KeyboardEvent,
  { reach, showFirst }: View,
): boolean {
  const cell = (target as Element).closest<HTMLTableCellElement>('th, td')
  const row = cell?.closest('tr')
  if (!cell || !row) return false
  const stops = [...row.cells].flatMap(stopsOf)
  const move = moveOf(key, ctrlKey || metaKey, {
    line: Number(row.getAttribute('aria-rowindex')) - 1,
    lines: Number(grid.getAttribute('aria-rowcount')),
    stop: stops.indexOf(target as HTMLElement),
    stops: stops.length,
  })
  if (!move) return false
  if ('stop' in move) stops[move.stop]?.focus()
  else {
    const column = move.column === 'first' ? 0 : move.column === 'last' ? -1 : cell.cellIndex
    // On a phone the line of headers is hidden.
    const heads = grid.tHead?.offsetParent ? grid.tHead.rows[0] : undefined
    if (move.line === 0 && heads) {
      stopOf([...heads.cells].at(column))?.focus()
      // The headers are in view wherever the list is.
      showFirst()
    } else if (grid.tBodies[0]?.rows.length) reach({ index: Math.max(0, move.line - 1), column })
  }
  return true
}
