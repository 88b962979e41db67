import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { moveInGrid, moveOf, stopOf } from './grid-keys'
import { flexible } from './resizer'
import { indexOf, rowOf } from './row-places'
import { useRowWindow } from './row-window'
import { createPlace, Scale } from './scale'
import styles from './table.module.css'
import type { TableProps } from './table-columns'
import { Heads } from './table-heads'
import { Lines } from './table-lines'

/*
 * A grid of plain elements: one handler for all keys, no component in a cell. React Aria's table took 307 to 357 ms for a turn of 25 rows,
 * because each of its cells and checkboxes carries a dozen hooks (docs/decisions/37-a-kit-of-our-own-on-react-aria.md).
 */

export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { label, columns, rowAt, page, selection, onOpen, widths, total, size, source, isStale, loading } =
    props
  const grid = useRef<HTMLTableElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const [place] = useState(createPlace)
  const view = useRowWindow({
    ...props,
    grid,
    box,
    onSeen: (next) => {
      place.set(next)
      props.onFirst?.(next.first)
    },
  })
  /** Where a range begins. */
  const from = useRef<number>(undefined)
  // One stop for Tab: the cell that had the focus last.
  useLayoutEffect(() => {
    if (grid.current && !grid.current.querySelector('[tabindex="0"]'))
      stopOf(grid.current.rows[0]?.cells[0])?.setAttribute('tabindex', '0')
  })
  useEffect(() => {
    if (source !== '') from.current = undefined
  }, [source])

  const select = (index: number, on: boolean, isRange: boolean) => {
    if (!selection) return
    const other = isRange ? (from.current ?? index) : index
    const [begin, end] = [Math.min(other, index), Math.max(other, index)]
    from.current = index
    const range = Array.from({ length: end + 1 - begin }, (_, at) => rowAt(begin + at))
    if (range.includes(undefined)) {
      selection.onRange?.({ start: begin, end: end + 1 }, on)
      return
    }
    const next = new Set(selection.ids)
    for (const row of range) if (row) on ? next.add(row.id) : next.delete(row.id)
    selection.onSelect([...next])
  }
  const isOn = (index: number) => selection?.ids.has(rowAt(index)?.id ?? -1) ?? false

  const press = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const index = indexOf(target)
    if (index === undefined) return
    const box = target.closest('input')
    if (box) select(index, box.checked, event.shiftKey)
    else if (!target.closest('button, a') && getSelection()?.isCollapsed !== false) {
      if (event.shiftKey) select(index, true, true)
      else if (event.ctrlKey || event.metaKey) select(index, !isOn(index), false)
      else openRow(index)
    }
  }
  const openRow = (index: number) => {
    const row = rowAt(index)
    if (row && onOpen) onOpen(row)
    else if (grid.current) rowOf(grid.current, index)?.querySelector('a')?.click()
  }
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const index = indexOf(target)
    const isControl = target.matches('button, a, input')
    if (event.key === 'Enter' && index !== undefined && !isControl) openRow(index)
    else if (event.key === ' ' && index !== undefined && !target.matches('button, a'))
      select(index, !isOn(index), event.shiftKey)
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey))
      selection?.onSelect([...selection.ids, ...page.map(({ id }) => id)])
    else if (!grid.current || !moveInGrid(grid.current, event, view)) return
    else if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const now = indexOf(document.activeElement)
      if (index !== undefined && now !== undefined) {
        if (!isOn(index)) from.current = index
        const anchor = from.current
        select(now, true, true)
        from.current = anchor
      }
    }
    event.preventDefault()
  }
  /** The row with the focus was scrolled out of the document: keys go on from there. */
  const resume = (event: KeyboardEvent<HTMLElement>) => {
    const at = view.left.current
    if (event.target !== event.currentTarget || !at) return
    const move = moveOf(event.key, event.ctrlKey || event.metaKey, {
      line: at.index + 1,
      lines: total + 1,
      stop: 0,
      stops: 1,
    })
    if (!move) return
    view.reach({ ...at, index: 'line' in move ? Math.max(0, move.line - 1) : at.index })
    event.preventDefault()
  }
  const needed = columns.reduce(
    (sum, { id, width }) => sum + (widths[id] ?? width ?? flexible),
    selection ? 44 : 0,
  )
  const isDragged = Object.keys(widths).length > 0
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has the focus in place of a cell that is not in the document. */}
      <div
        ref={box}
        id={id}
        tabIndex={-1}
        className={`${styles.scroll} ${total > size ? styles.scaled : ''} ${isStale ? styles.stale : ''}`}
        onKeyDown={resume}
      >
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table with one stop for Tab.
          role="grid"
          aria-label={label}
          aria-busy={isStale || loading !== undefined}
          aria-rowcount={total + 1}
          aria-colcount={columns.length + (selection ? 1 : 0)}
          aria-multiselectable={selection !== undefined || undefined}
          className={styles.table}
          style={
            isDragged ? ({ '--needed': `${needed}px`, tableLayout: 'fixed' } as CSSProperties) : undefined
          }
          onKeyDown={key}
          onFocus={({ target, currentTarget }) => {
            for (const before of currentTarget.querySelectorAll('[tabindex="0"]'))
              before.setAttribute('tabindex', '-1')
            target.setAttribute('tabindex', '0')
          }}
        >
          <colgroup key={`${source} ${columns.map(({ id }) => id).join(' ')}`}>
            {selection && <col style={{ inlineSize: 44 }} />}
            {columns.map(({ id, width }) => (
              <col key={id} style={isDragged ? { inlineSize: widths[id] ?? width } : undefined} />
            ))}
          </colgroup>
          <Heads {...props} />
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys. */}
          <tbody onClick={press} inert={isStale}>
            <Lines {...props} {...view} />
          </tbody>
        </table>
        {loading !== undefined ? <Skeleton label={loading} /> : total === 0 && props.empty}
      </div>
      {total > size && <Scale {...props.scale} controls={id} box={box} place={place} total={total} />}
    </div>
  )
}

const lines = Array.from({ length: 28 }, (_, index) => index)

/** In place of the rows until they come. */
export const Skeleton = ({ label }: { label: string }) => (
  <div className={styles.skeleton} role="status" aria-label={label}>
    {lines.map((line) => (
      <i key={line} aria-hidden="true" />
    ))}
  </div>
)
