import { flexible, Resizer, widthOf } from './resizer'
import styles from './table.module.css'
import type { TableProps } from './table-columns'

const sortOf = (isSorted: boolean, isAscending: boolean) =>
  isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'

export function Heads<Row extends { id: number }>({
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
