import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { stopOf } from './grid-keys'
import { heightOf, indexOf, keepWidths, rowOf, type Seen, type Span, seenIn, viewOf } from './row-places'
import type { Place } from './scale'

/** Rows that are rendered beyond each edge of the view, and how few of them make the table render others. */
const beyond = 16
const least = 6

/** In pixels. Browsers lay out no more than 17 million; the gaps of a longer list are compressed. */
const highest = 12_000_000

/** A cell by its row and column. */
export type Stop = { index: number; column: number }
/** A cell, and the element that had the focus when the cell was asked for. */
type Wanted = Stop & { from: Element | null }

type WindowOptions = {
  grid: RefObject<HTMLTableElement | null>
  box: RefObject<HTMLDivElement | null>
  /** The row to begin with. */
  first: number
  /** True if `first` is where the table itself has scrolled to. */
  isOwn?: ((first: number) => boolean) | undefined
  total: number
  /** The rows of one page. A list that has no more is rendered whole. */
  size: number
  /** The order and the filters of the list: with others the table goes to `first`. */
  source: string
  isStale: boolean
  /** The rows that are rendered from now on. */
  onSpan?: ((span: Span) => void) | undefined
  onSeen: (place: Place) => void
  /** Renders in the frame of the scroll, so that no gap is seen: `flushSync`. */
  inFrame?: ((render: () => void) => void) | undefined
}

const around = ({ first, last }: Pick<Seen, 'first' | 'last'>, total: number): Span => ({
  start: Math.max(0, first - beyond),
  end: Math.min(total, last + 1 + beyond),
})

const covers = ({ start, end }: Span, { first, last }: Seen, total: number): boolean =>
  start <= Math.max(0, first - least) && end >= Math.min(total, last + 1 + least)

/** Only the rows in view and a few around them are in the document; gaps take the room of the others. */
export function useRowWindow({
  grid,
  box,
  first,
  isOwn,
  total,
  size,
  source,
  isStale,
  onSpan,
  onSeen,
  inFrame,
}: WindowOptions) {
  const page = Math.floor(first / size) * size
  const [{ start, end, height }, set] = useState({ start: page, end: page + size, height: 28 })
  const isWhole = total <= size
  const span = isWhole ? { start: 0, end: total } : { start, end: Math.min(end, total) }
  const gap = Math.min(height, highest / Math.max(total, 1))
  /** The row that keeps its place while others are rendered around it. */
  const held = useRef<Pick<Seen, 'first' | 'offset'>>(undefined)
  /** The cell that takes the focus as soon as its row is there. */
  const wanted = useRef<Wanted>(undefined)
  /** The cell that had the focus when its row left the document. */
  const left = useRef<Stop>(undefined)
  const seen = useRef(0)
  const isMoved = useRef(false)
  /** False while the row that is seen first is not loaded. */
  const isNamed = useRef(true)

  const render = (next: Span) => {
    const active = document.activeElement
    const index = grid.current?.contains(active) ? indexOf(active) : undefined
    if (index !== undefined && (index < next.start || index >= next.end)) {
      left.current = { index, column: active?.closest<HTMLTableCellElement>('th, td')?.cellIndex ?? 0 }
      box.current?.focus({ preventScroll: true })
    }
    const measured = (grid.current && heightOf(grid.current)) || height
    // Rows of several lines differ. Gaps that follow each mean would change the length of the list all the time.
    set({ ...next, height: Math.abs(measured - height) > height / 4 ? measured : height })
    onSpan?.(next)
  }
  const look = () => {
    if (!grid.current || !box.current || isStale) return
    const now = seenIn(grid.current, viewOf(box.current, grid.current), { total, height: gap })
    if (!now) return
    seen.current = now.first
    const row = rowOf(grid.current, now.first)
    isNamed.current = row !== null && row.ariaBusy !== 'true'
    onSeen({ ...now, name: row?.querySelector('th')?.textContent ?? '', isMoved: isMoved.current })
    if (isWhole || covers(span, now, total)) return
    keepWidths(grid.current)
    held.current = now
    render(around(now, total))
  }
  const jump = (index: number) => {
    held.current = { first: index, offset: 0 }
    render(around({ first: index, last: index + 2 * beyond }, total))
  }

  /** A row that is not loaded yet takes the focus as a whole. Nothing takes it from where it has gone meanwhile. */
  const focusWanted = (stop: Wanted) => {
    const row = grid.current && rowOf(grid.current, stop.index)
    const active = document.activeElement
    const isElsewhere =
      ![document.body, box.current, stop.from].includes(active as HTMLElement | null) &&
      !row?.contains(active)
    if (isElsewhere || (row && row.ariaBusy !== 'true')) wanted.current = undefined
    if (row && !isElsewhere) stopOf([...row.cells].at(stop.column) ?? row.cells[0])?.focus()
  }

  const go = useEffectEvent(() => {
    if (!isReady) return
    held.current = { first, offset: 0 }
    set({ start: page, end: page + size, height: (grid.current && heightOf(grid.current)) || height })
  })
  const isHere = useEffectEvent(() => isOwn?.(first) || first === seen.current)
  const isReady = total > 0 && !isStale
  useLayoutEffect(() => {
    if (isReady && source !== '') go()
  }, [source, isReady])
  useLayoutEffect(() => {
    if (first >= 0 && !isHere()) go()
  }, [first])

  useLayoutEffect(() => {
    const hold = held.current
    const table = grid.current
    const row = hold && table && rowOf(table, hold.first)
    if (row && box.current) {
      held.current = undefined
      const { scroller, top } = viewOf(box.current, table)
      const moved = row.getBoundingClientRect().top - top - hold.offset
      // A list that begins below the top of the screen is not brought there.
      if (moved < -0.5 || (moved > 0.5 && hold.first > 0)) scroller.scrollTop += moved
      look()
    } else if (!isNamed.current) look()
    if (wanted.current) focusWanted(wanted.current)
  })

  const onScroll = useEffectEvent((event: Event) => {
    if (held.current || !(event.target as Node).contains(grid.current)) return
    isMoved.current = true
    inFrame ? inFrame(look) : look()
  })
  const onResize = useEffectEvent(look)
  useEffect(() => {
    const heard = { capture: true, passive: true }
    // The box itself scrolls, or one around it.
    document.addEventListener('scroll', onScroll, heard)
    const resized = new ResizeObserver(() => onResize())
    const observed = box.current
    if (observed) resized.observe(observed)
    return () => {
      document.removeEventListener('scroll', onScroll, heard)
      resized.disconnect()
    }
  }, [box])

  return {
    span,
    above: span.start * gap,
    below: Math.max(0, total - span.end) * gap,
    /** The cell that the keys go on from while its row is not in the document. */
    left,
    showFirst: () => {
      wanted.current = undefined
      left.current = undefined
      if (total > 0) jump(0)
    },
    /** Gives the focus to a cell, wherever its row is. */
    reach: (stop: Stop) => {
      left.current = undefined
      // From a row that is not loaded the keys go on in the column from which they came.
      const column = wanted.current?.column ?? stop.column
      const next = { index: stop.index, column, from: document.activeElement }
      wanted.current = next
      if (grid.current && rowOf(grid.current, stop.index)) focusWanted(next)
      else jump(stop.index)
    },
  }
}
