import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import styles from './map.module.css'
import {
  addressOf,
  addressState,
  blockFill,
  blockShares,
  hasFault,
  type MapCell,
  nextCell,
} from './map-cells'

type MapGridProps = {
  label: string
  cells: readonly MapCell[]
  columns: number
  /** The index of the cell that has the focus first. */
  start: number
  /** True if the user came by a key of the map: then the grid takes the focus. */
  takesFocus: boolean
  wordsOf: (cell: MapCell) => string
  /** Called on Enter or a click. */
  onOpen: (cell: MapCell) => void
  /** Opens the block around this one. */
  onLeave: () => void
  /** Called with the cell under the pointer or with the focus. */
  onPoint: (cell: MapCell) => void
}

/** ARIA in HTML allows the role grid for a table. */
const asGrid = { role: 'grid' } as const

/** The cells of a block, as an ARIA grid: arrow keys move the focus, and one cell is in the tab order. */
export function MapGrid({ label, cells, columns, start, takesFocus, onLeave, ...props }: MapGridProps) {
  const say = useTranslations('nat.map')
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState(start)

  const takesFocusAt = takesFocus ? start : undefined
  useEffect(() => {
    if (takesFocusAt !== undefined) focusCell(grid.current, takesFocusAt)
  }, [takesFocusAt])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace') {
      event.preventDefault()
      return onLeave()
    }
    const toEdge = event.ctrlKey || event.metaKey
    const next = nextCell(event.key, { at: current, count: cells.length, columns, toEdge })
    if (next === undefined || event.altKey) return
    event.preventDefault()
    focusCell(grid.current, next)
  }

  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  )
  return (
    <table
      ref={grid}
      {...asGrid}
      aria-label={label}
      aria-description={say('keys')}
      className={styles.grid}
      onKeyDown={onKeyDown}
    >
      <tbody>
        {rows.map((row, rowIndex) => (
          <tr key={row[0]?.cidr}>
            <th scope="row" className={styles.rowName}>
              <bdi dir="ltr">{addressOf(row[0]?.cidr ?? '')}</bdi>
            </th>
            {row.map((cell, column) => {
              const index = rowIndex * columns + column
              return (
                <Cell
                  key={cell.cidr}
                  {...{ cell, index, ...props }}
                  isCurrent={index === current}
                  onFocus={() => setCurrent(index)}
                />
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type CellProps = Pick<MapGridProps, 'wordsOf' | 'onOpen' | 'onPoint'> & {
  cell: MapCell
  index: number
  isCurrent: boolean
  onFocus: () => void
}

const Cell = ({ cell, index, isCurrent, wordsOf, onOpen, onPoint, onFocus }: CellProps) => (
  <td>
    <button
      type="button"
      data-cell={index}
      className={`${styles.cell} ${classOf(cell)} ${hasFault(cell) ? styles.marked : ''} ${cell.now ? styles.changed : ''}`}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={wordsOf(cell)}
      onClick={() => onOpen(cell)}
      onFocus={() => {
        onFocus()
        onPoint(cell)
      }}
      onMouseEnter={() => onPoint(cell)}
    >
      {cell.held && !cell.isAddress && <Fill held={cell.held} size={cell.size} />}
    </button>
  </td>
)

const focusCell = (grid: HTMLElement | null, index: number): void =>
  grid?.querySelector<HTMLElement>(`[data-cell="${index}"]`)?.focus()

function classOf(cell: MapCell): string {
  if (cell.isAddress) return styles[addressState(cell)] ?? ''
  return cell.held ? '' : (styles.absent ?? '')
}

/** The fill of a block, with the share of each state. */
const Fill = ({ held, size }: { held: NonNullable<MapCell['held']>; size: bigint }) => (
  <span className={styles.fill} style={{ blockSize: `${blockFill(held.ips, size) * 100}%` }}>
    {blockShares(held).map(({ state, part }) => (
      <i key={state} className={styles[state]} style={{ flexGrow: part, flexBasis: 0 }} />
    ))}
  </span>
)
