import type { ReactNode } from 'react'
import styles from './simple-table.module.css'
import { Spinner } from './spinner'

export type SimpleColumn<Row> = {
  id: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  isRowHeader?: boolean
  minWidth?: number
}

type SimpleTableProps<Row> = {
  label: string
  columns: readonly SimpleColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** In place of the rows: what is being loaded, or that there are none. */
  loading?: string | undefined
  empty?: ReactNode
  /** The headers stay in sight while the table scrolls by itself. */
  isHigh?: boolean
}

/** A table to read, with nothing to choose and few rows: lines wrap, and Tab goes through its links. */
export const SimpleTable = <Row,>({
  label,
  columns,
  rows,
  keyOf,
  loading,
  empty,
  isHigh,
}: SimpleTableProps<Row>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys (WCAG 2.1.1).
  <section className={`${styles.scroll} ${isHigh ? styles.high : ''}`} aria-label={label} tabIndex={0}>
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ id, header, isNumber, minWidth }) => (
            <th
              key={id}
              scope="col"
              className={isNumber ? styles.number : undefined}
              style={minWidth === undefined ? undefined : { minInlineSize: minWidth }}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ id, cell, isNumber, isRowHeader }) =>
              isRowHeader ? (
                <th key={id} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={id} className={isNumber ? styles.number : undefined}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
        {(loading !== undefined || rows.length === 0) && (
          <tr>
            <td colSpan={columns.length} className={styles.empty}>
              {loading === undefined ? (
                empty
              ) : (
                <span role="status">
                  <Spinner /> {loading}
                </span>
              )}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  </section>
)
