import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import styles from './table.module.css'

/** The least width of a column, and that of a column without one, in pixels. */
const least = 64
export const flexible = 120

const step = 16

export const widthOf = (element: Element): number => element.getBoundingClientRect().width

/** Fixes the columns at the widths that the browser gave them by their content. */
function fixWidths(table: HTMLTableElement, heads: readonly HTMLElement[]): void {
  const widths = heads.map(widthOf)
  for (const [index, column] of table.querySelectorAll('col').entries())
    column.style.inlineSize = `${widths[index]}px`
  table.style.tableLayout = 'fixed'
}

type ResizerProps = {
  label: string
  /** The width is the column's own until its edge is let go. Then all columns have the widths of their headers. */
  onEnd: (heads: readonly HTMLElement[]) => void
}

/** The edge of a column: dragged, or by Enter and the arrow keys. */
export function Resizer({ label, onEnd }: ResizerProps) {
  const [width, setWidth] = useState<number>()
  const begun = useRef({ x: 0, width: 0, isMoved: false })
  const head = (edge: Element) => edge.closest('th') as HTMLTableCellElement
  const headsOf = (edge: Element) => [...(edge.closest('tr')?.cells ?? [])]
  const set = (edge: Element, next: number) => {
    const kept = Math.max(least, next)
    const table = edge.closest('table')
    if (table && table.style.tableLayout !== 'fixed') fixWidths(table, headsOf(edge))
    const column = table?.querySelectorAll('col')[head(edge).cellIndex]
    if (column) column.style.inlineSize = `${kept}px`
    begun.current.isMoved = true
    setWidth(kept)
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget
    begun.current = { x: event.clientX, width: widthOf(head(edge)), isMoved: false }
    edge.setPointerCapture(event.pointerId)
    setWidth(begun.current.width)
    event.preventDefault()
  }
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const edge = event.currentTarget
    if (event.key === 'Enter' || (width !== undefined && (event.key === 'Escape' || event.key === 'Tab'))) {
      if (width === undefined) set(edge, widthOf(head(edge)))
      else {
        onEnd(headsOf(edge))
        setWidth(undefined)
      }
      if (event.key === 'Tab') return
    } else if (width !== undefined && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      set(edge, width + (event.key === 'ArrowRight' ? step : -step))
    } else if (width === undefined) return
    event.preventDefault()
    event.stopPropagation()
  }
  const stop = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (width !== undefined && begun.current.isMoved) onEnd(headsOf(currentTarget))
    setWidth(undefined)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={1200}
      aria-valuenow={Math.round(width ?? flexible)}
      aria-valuetext={width === undefined ? '' : `${Math.round(width)} px`}
      data-resizing={width !== undefined || undefined}
      tabIndex={-1}
      className={styles.resizer}
      onPointerDown={drag}
      onPointerMove={(event) =>
        width !== undefined &&
        event.currentTarget.hasPointerCapture(event.pointerId) &&
        set(event.currentTarget, begun.current.width + event.clientX - begun.current.x)
      }
      onPointerUp={stop}
      onBlur={stop}
      onKeyDown={key}
    />
  )
}
