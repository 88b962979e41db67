import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { moveInGrid, moveOf, stopOf } from './grid-keys'
import { flexible, Resizer, widthOf } from './resizer'
import { indexOf, rowOf, type Span } from './row-places'
import { useRowWindow } from './row-window'
import { createPlace, Scale } from './scale'
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
  /** A row by its number in the whole list, from 0. Undefined until it is loaded. */
  rowAt: (index: number) => Row | undefined
  /** The rows that the box in the header selects. */
  page: readonly Row[]
  sort: { by: string | undefined; asc: boolean; onSort: (by: string, asc: boolean) => void }
  selection?: Selecting<Row> | undefined
  /** Without it, a press on a row follows the first link of the row. */
  onOpen?: ((row: Row) => void) | undefined
  open?: number | undefined
  widths: Readonly<Record<string, number>>
  onWidths: (widths: Record<string, number>) => void
  widthLabel: (column: string) => string
  /** The row to begin with, from 0. */
  first: number
  /** True if `first` is where the table itself has scrolled to. */
  isOwn?: ((first: number) => boolean) | undefined
  total: number
  /** The rows of one page. A list that has no more is in the document as a whole. */
  size: number
  /** Names the order and the filters of the list. */
  source: string
  /** The rows that are rendered from now on. */
  onSpan?: ((span: Span) => void) | undefined
  /** While the table scrolls: the first row in view. */
  onFirst?: ((first: number) => void) | undefined
  /** Renders in the frame of the scroll: `flushSync`. */
  inFrame?: ((render: () => void) => void) | undefined
  /** The name of the scale, and a position in words. */
  scale: { label: string; text: (row: number) => string }
  /** The rows of the order or filter before stay until the next ones come. */
  isStale: boolean
  /** What is being loaded, until the first rows come. */
  loading?: string | undefined
  empty: ReactNode
}

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
    const range = Array.from({ length: end + 1 - begin }, (_, at) => rowAt(begin + at))
    // A range over rows that are not loaded would leave them out without a word.
    const chosen = range.includes(undefined) ? [rowAt(index)] : range
    const next = new Set(selection.ids)
    for (const row of chosen) if (row) on ? next.add(row.id) : next.delete(row.id)
    from.current = index
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
    else if (!grid.current || !moveInGrid(grid.current, event, view.reach)) return
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

type LinesProps<Row> = TableProps<Row> & { span: Span; above: number; below: number }

/** While rows of another order are on their way nobody can use the old ones, and none is rendered again. */
const Lines = memo(
  <Row extends { id: number }>(props: LinesProps<Row>) => {
    const { rowAt, columns, open, selection, span, above, below } = props
    const cells = columns.length + (selection ? 1 : 0)
    // A row that leaves the document lends its elements to one that comes: twice as fast as new ones.
    const slots = Math.ceil((span.end - span.start) / 64) * 64
    return (
      <>
        {above > 0 && <Gap height={above} cells={cells} />}
        {Array.from({ length: span.end - span.start }, (_, at) => {
          const index = span.start + at
          const row = rowAt(index)
          return row ? (
            <Line
              key={index % slots}
              row={row}
              columns={columns}
              number={index + 2}
              isOpen={open === row.id}
              isSelected={selection?.ids.has(row.id)}
              boxLabel={selection?.labels.row(row)}
            />
          ) : (
            <ComingLine key={index % slots} number={index + 2} cells={cells} />
          )
        })}
        {below > 0 && <Gap height={below} cells={cells} />}
      </>
    )
  },
  (_, { isStale }) => isStale,
) as <Row extends { id: number }>(props: LinesProps<Row>) => ReactNode

/** The room of the rows that are not in the document. */
const Gap = ({ height, cells }: { height: number; cells: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it holds nothing that takes the focus.
  <tr aria-hidden="true" className={styles.gap} style={{ blockSize: height }}>
    <td colSpan={cells} />
  </tr>
)

/** A row that is not loaded yet. */
const ComingLine = ({ number, cells }: { number: number; cells: number }) => (
  // biome-ignore lint/a11y/noRedundantRoles: on a phone the row is no table row for CSS, and would lose its role.
  <tr role="row" aria-rowindex={number} aria-busy="true" className={styles.row}>
    <td colSpan={cells} className={`${styles.cell} ${styles.coming}`} tabIndex={-1}>
      <i />
    </td>
  </tr>
)

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
  page,
  sort,
  selection,
  onWidths,
  widthLabel,
}: TableProps<Row>) {
  const chosen = page.filter(({ id }) => selection?.ids.has(id)).length
  const isAll = chosen > 0 && chosen === page.length
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
              disabled={page.length === 0}
              ref={(box) => {
                if (box) box.indeterminate = chosen > 0 && !isAll
              }}
              onChange={() => {
                const rest = [...selection.ids].filter((id) => !page.some((row) => row.id === id))
                selection.onSelect(isAll ? rest : [...rest, ...page.map(({ id }) => id)])
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
