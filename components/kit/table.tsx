import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useLayoutEffect,
  useRef,
} from 'react'
import { moveInGrid, stopOf } from './grid-keys'
import { flexible, Resizer, widthOf } from './resizer'
import styles from './table.module.css'

/*
 * A grid of plain elements: one handler for all keys, no component in a cell. React Aria's table took 307 to 357 ms for a turn of 25 rows,
 * because each of its cells and checkboxes carries a dozen hooks (docs/decisions/37-a-kit-of-our-own-on-react-aria.md).
 */

/** A column as data. `by` is the server's name of its order; without it the column is not sortable. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  by?: string
  /** In pixels, once the user has dragged an edge; until then each column is as wide as its content. */
  width?: number
  /** Longer texts end at this width, in pixels. */
  maxWidth?: number
  /** Shows all of a long text, on several lines. */
  isWhole?: boolean
  isNumber?: boolean
  isRowHeader?: boolean
  /** Holds a control of the row: its header is for screen readers, its width is fixed. */
  isTool?: boolean
  /** Where it stands on a phone, where a row has two lines; elsewhere it is left out there. */
  small?: 'first' | 'end' | 'below'
}

type Selecting<Row> = {
  ids: ReadonlySet<number>
  onSelect: (ids: number[]) => void
  labels: { all: string; row: (row: Row) => string }
}

type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  sort: { by: string | undefined; asc: boolean; onSort: (by: string, asc: boolean) => void }
  selection?: Selecting<Row> | undefined
  /** Without it, a press on a row follows the first link of the row. */
  onOpen?: ((row: Row) => void) | undefined
  open?: number | undefined
  widths: Readonly<Record<string, number>>
  onWidths: (widths: Record<string, number>) => void
  widthLabel: (column: string) => string
  /** The number of the first row among all, from 0. */
  first: number
  total: number
  /** The rows of the page before stay until the next ones come. */
  isStale: boolean
  /** What is being loaded, until the first rows come. */
  loading?: string | undefined
  empty: ReactNode
}

export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { label, columns, rows, selection, onOpen, widths, first, total, isStale, loading } = props
  const grid = useRef<HTMLTableElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  /** Asking the browser would make it lay out all rows once more. */
  const isScrolled = useRef(false)
  /** Where a range begins. */
  const from = useRef<number>(undefined)
  // One stop for Tab: the cell that had the focus last.
  useLayoutEffect(() => {
    if (grid.current && !grid.current.querySelector('[tabindex="0"]'))
      stopOf(grid.current.rows[0]?.cells[0])?.setAttribute('tabindex', '0')
  })
  useLayoutEffect(() => {
    if (first >= 0 && isScrolled.current) scroll.current?.scrollTo({ top: 0 })
    isScrolled.current = false
    from.current = undefined
  }, [first])

  const select = (index: number, on: boolean, isRange: boolean) => {
    if (!selection) return
    const other = isRange ? (from.current ?? index) : index
    const [begin, end] = [Math.min(other, index), Math.max(other, index)]
    const next = new Set(selection.ids)
    for (const { id } of rows.slice(begin, end + 1)) on ? next.add(id) : next.delete(id)
    from.current = index
    selection.onSelect([...next])
  }
  const isOn = (index: number) => selection?.ids.has(rows[index]?.id ?? -1) ?? false

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
    const row = rows[index]
    if (row && onOpen) onOpen(row)
    else grid.current?.tBodies[0]?.rows[index]?.querySelector('a')?.click()
  }
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const index = indexOf(target)
    const isControl = target.matches('button, a, input')
    if (event.key === 'Enter' && index !== undefined && !isControl) openRow(index)
    else if (event.key === ' ' && index !== undefined && !target.matches('button, a'))
      select(index, !isOn(index), event.shiftKey)
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey))
      selection?.onSelect([...selection.ids, ...rows.map(({ id }) => id)])
    else if (!grid.current || !moveInGrid(grid.current, event)) return
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
  const needed = columns.reduce(
    (sum, { id, width }) => sum + (widths[id] ?? width ?? flexible),
    selection ? 44 : 0,
  )
  const isDragged = Object.keys(widths).length > 0
  return (
    <div
      ref={scroll}
      tabIndex={-1}
      className={`${styles.scroll} ${isStale ? styles.stale : ''}`}
      onScroll={() => {
        isScrolled.current = true
      }}
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
        style={isDragged ? ({ '--needed': `${needed}px`, tableLayout: 'fixed' } as CSSProperties) : undefined}
        onKeyDown={key}
        onFocus={({ target, currentTarget }) => {
          for (const before of currentTarget.querySelectorAll('[tabindex="0"]'))
            before.setAttribute('tabindex', '-1')
          target.setAttribute('tabindex', '0')
        }}
      >
        <colgroup>
          {selection && <col style={{ inlineSize: 44 }} />}
          {columns.map(({ id, width }) => (
            <col key={id} style={isDragged ? { inlineSize: widths[id] ?? width } : undefined} />
          ))}
        </colgroup>
        <Heads {...props} />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys. */}
        <tbody onClick={press} inert={isStale}>
          <Lines {...props} />
        </tbody>
      </table>
      {loading !== undefined ? <Skeleton label={loading} /> : rows.length === 0 && props.empty}
    </div>
  )
}

const indexOf = (element: Element | null): number | undefined => {
  const row = element?.closest<HTMLTableRowElement>('tbody > tr')
  return row ? row.sectionRowIndex : undefined
}

/** While the next page is on its way nobody can use the rows, and none is rendered again. */
const Lines = memo(
  <Row extends { id: number }>({ rows, columns, first, open, selection }: TableProps<Row>) =>
    rows.map((row, index) => (
      <Line
        // A position: the next page changes texts, and the focus stays where it is.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        key={index}
        row={row}
        columns={columns}
        number={first + index + 2}
        isOpen={open === row.id}
        isSelected={selection?.ids.has(row.id)}
        boxLabel={selection?.labels.row(row)}
      />
    )),
  (_, { isStale }) => isStale,
) as <Row extends { id: number }>(props: TableProps<Row>) => ReactNode

type LineProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  number: number
  isOpen: boolean
  isSelected: boolean | undefined
  boxLabel: string | undefined
}

const Line = memo(<Row,>({ row, columns, number, isOpen, isSelected, boxLabel }: LineProps<Row>) => (
  <tr
    // biome-ignore lint/a11y/noRedundantRoles: on a phone the row is no table row for CSS, and would lose its role.
    role="row"
    aria-rowindex={number}
    aria-selected={isSelected}
    aria-current={isOpen || undefined}
    className={styles.row}
  >
    {boxLabel !== undefined && (
      <td className={styles.cell} data-small="box">
        <input
          type="checkbox"
          className={styles.tick}
          tabIndex={-1}
          aria-label={boxLabel}
          checked={isSelected ?? false}
          readOnly
        />
      </td>
    )}
    {columns.map(({ id, cell, isNumber, isRowHeader, isTool, isWhole, maxWidth, small }) => {
      const content = cell(row)
      const looks = [styles.cell, isNumber && styles.number, isWhole && styles.whole]
      const look = {
        className: looks.filter(Boolean).join(' '),
        ...(maxWidth !== undefined && { style: { maxInlineSize: maxWidth } }),
        'data-small': isTool ? 'tool' : (small ?? 'none'),
        tabIndex: isTool ? undefined : -1,
      }
      return isRowHeader ? (
        <th key={id} scope="row" {...look}>
          {content}
        </th>
      ) : (
        <td key={id} {...look}>
          {content}
        </td>
      )
    })}
  </tr>
)) as <Row>(props: LineProps<Row>) => ReactNode

const sortOf = (isSorted: boolean, isAscending: boolean) =>
  isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'

function Heads<Row extends { id: number }>({
  columns,
  rows,
  sort,
  selection,
  onWidths,
  widthLabel,
}: TableProps<Row>) {
  const chosen = rows.filter(({ id }) => selection?.ids.has(id)).length
  const isAll = chosen > 0 && chosen === rows.length
  /** The widths of all columns: with one that is dragged, the others stay as they are. */
  const widthsOf = (heads: readonly HTMLElement[]) =>
    Object.fromEntries(
      columns.map(({ id }, index) => {
        const head = heads.at(index - columns.length)
        return [id, head ? widthOf(head) : flexible]
      }),
    )
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <th scope="col" className={styles.head}>
            <input
              type="checkbox"
              className={styles.tick}
              tabIndex={-1}
              aria-label={selection.labels.all}
              checked={isAll}
              disabled={rows.length === 0}
              ref={(box) => {
                if (box) box.indeterminate = chosen > 0 && !isAll
              }}
              onChange={() => {
                const rest = [...selection.ids].filter((id) => !rows.some((row) => row.id === id))
                selection.onSelect(isAll ? rest : [...rest, ...rows.map(({ id }) => id)])
              }}
            />
          </th>
        )}
        {columns.map(({ id, header, by, isNumber, isTool }) => {
          const isSorted = by !== undefined && by === sort.by
          return (
            <th
              key={id}
              scope="col"
              className={`${styles.head} ${isNumber ? styles.number : ''}`}
              aria-sort={by === undefined ? undefined : sortOf(isSorted, sort.asc)}
              tabIndex={by === undefined ? -1 : undefined}
            >
              {by === undefined ? (
                <span className={isTool ? styles.hidden : styles.name}>{header}</span>
              ) : (
                <button
                  type="button"
                  tabIndex={-1}
                  className={styles.name}
                  onClick={() => sort.onSort(by, isSorted ? !sort.asc : true)}
                >
                  {header}
                </button>
              )}
              {!isTool && <Resizer label={widthLabel(header)} onEnd={(heads) => onWidths(widthsOf(heads))} />}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** The one control of a tool column. */
export const RowButton = ({
  label,
  onPress,
  children,
}: {
  label: string
  onPress: (button: HTMLElement) => void
  children: ReactNode
}) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.dots}
    aria-label={label}
    aria-haspopup="menu"
    onClick={({ currentTarget }) => onPress(currentTarget)}
  >
    {children}
  </button>
)

type RowActionProps = {
  label: string
  icon: ReactNode
  refused?: string | undefined
  href?: string
  hotKey?: string
  onPress?: () => void
}

/** One of several controls of a tool column. Plain, like all that each row has. */
export const RowAction = ({ label, icon, refused, href, hotKey, onPress }: RowActionProps) => {
  const look = { className: styles.dots, tabIndex: -1, 'aria-label': label, 'data-key': hotKey }
  if (refused !== undefined)
    return (
      <button type="button" {...look} aria-disabled="true" aria-description={refused} title={refused}>
        {icon}
      </button>
    )
  return href === undefined ? (
    <button type="button" {...look} title={label} onClick={onPress}>
      {icon}
    </button>
  ) : (
    <a {...look} href={href} title={label}>
      {icon}
    </a>
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
