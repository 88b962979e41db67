/* Where the rows of a table are in the document and on the screen. Indexes count the rows of the whole list, from 0. */

/** The rows from `start` to before `end`. */
export type Span = { start: number; end: number }

/** The rows in view, and the distance from the top of the view to the top of the first. */
export type Seen = { first: number; last: number; offset: number }

export const indexOf = (element: Element | null): number | undefined => {
  const row = element?.closest<HTMLTableRowElement>('tbody > tr[aria-rowindex]')
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : undefined
}

export const rowOf = (grid: HTMLTableElement, index: number): HTMLTableRowElement | null =>
  grid.querySelector(`tbody > tr[aria-rowindex="${index + 2}"]`)

/** The table's own box scrolls, or on a small screen a box around it. */
function scrollerOf(box: HTMLElement): HTMLElement {
  for (let around: HTMLElement | null = box; around; around = around.parentElement)
    if (
      around.scrollHeight > around.clientHeight + 1 &&
      /auto|scroll/.test(getComputedStyle(around).overflowY)
    )
      return around
  return document.documentElement
}

/** The box that scrolls the rows, and the edges between which they are seen. */
export function viewOf(box: HTMLElement, grid: HTMLTableElement) {
  const scroller = scrollerOf(box)
  const { top, bottom } = scroller.getBoundingClientRect()
  // The headers stay at the top of the table's own box.
  const heads = scroller === box ? (grid.tHead?.offsetHeight ?? 0) : 0
  return { scroller, top: top + heads, bottom: Math.min(bottom, window.innerHeight) }
}

/** The first of the rows whose lower edge is below `y`. */
function firstBelow(rows: readonly HTMLElement[], y: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) > y + 1) high = middle
    else low = middle + 1
  }
  return low
}

/** The rows in view: those of the document by their places, others by `height`, the room that a row takes where none is rendered. */
export function seenIn(
  grid: HTMLTableElement,
  { top, bottom }: { top: number; bottom: number },
  { total, height }: { total: number; height: number },
): Seen | undefined {
  const rows = [...grid.querySelectorAll<HTMLElement>('tbody > tr[aria-rowindex]')]
  const [head, tail] = [rows[0]?.getBoundingClientRect(), rows.at(-1)?.getBoundingClientRect()]
  if (!head || !tail) return undefined
  const start = indexOf(rows[0] ?? null) ?? 0
  const at = (y: number) => {
    if (y < head.top) return start - Math.ceil((head.top - y) / height)
    if (y >= tail.bottom - 1) return start + rows.length + Math.floor((y - tail.bottom) / height)
    return start + firstBelow(rows, y)
  }
  const within = (index: number) => Math.max(0, Math.min(total - 1, index))
  const first = within(at(top))
  const from = first < start ? head.top : tail.bottom
  const y =
    rows[first - start]?.getBoundingClientRect().top ??
    from + (first - (first < start ? start : start + rows.length)) * height
  return { first, last: within(at(bottom)), offset: y - top }
}

/** The mean height of the rows in the document. */
export function heightOf(grid: HTMLTableElement): number | undefined {
  const rows = grid.querySelectorAll<HTMLElement>('tbody > tr[aria-rowindex]:not([aria-busy])')
  const [first, last] = [rows[0], rows[rows.length - 1]]
  if (!first || !last) return undefined
  const between = last.getBoundingClientRect().bottom - first.getBoundingClientRect().top
  return between / ((indexOf(last) ?? 0) - (indexOf(first) ?? 0) + 1)
}

/** Columns stay as wide as their widest cell so far, so that scrolling does not move them. */
export function keepWidths(grid: HTMLTableElement): void {
  if (grid.style.tableLayout === 'fixed' || !grid.tHead?.offsetHeight) return
  const heads = [...(grid.tHead.rows[0]?.cells ?? [])].map((head) => head.getBoundingClientRect().width)
  for (const [index, column] of grid.querySelectorAll('col').entries())
    column.style.inlineSize = `${Math.max(heads[index] ?? 0, Number.parseFloat(column.style.inlineSize) || 0)}px`
}
