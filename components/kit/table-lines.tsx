import { memo, type ReactNode } from 'react'
import type { Span } from './row-places'
import styles from './table.module.css'
import type { Column, TableProps } from './table-columns'

type LinesProps<Row> = TableProps<Row> & { span: Span; above: number; below: number }

/** While rows of another order are on their way nobody can use the old ones, and none is rendered again. */
export const Lines = memo(
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
              id={row.id}
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
  id: number
  number: number
  isOpen: boolean
  isSelected: boolean | undefined
  boxLabel: string | undefined
}

const Line = memo(<Row,>({ row, columns, id, number, isOpen, isSelected, boxLabel }: LineProps<Row>) => (
  <tr
    // biome-ignore lint/a11y/noRedundantRoles: on a phone the row is no table row for CSS, and would lose its role.
    role="row"
    aria-rowindex={number}
    data-id={id}
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
