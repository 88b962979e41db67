import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useTranslations } from 'use-intl'
import styles from '#components/frame/layout/layout.module.css'
import { type BulkAction, type BulkFilter, type Selection, selectionsOf } from './bulk'
import { BulkDialog } from './bulk-dialog'
import { useBulkRun } from './use-bulk-run'

type BulkProps<Row> = {
  actions: readonly BulkAction<Row>[]
  selection: Selection<Row>
  /** The rows on the screen, in their current state. */
  shown: readonly Row[]
  /** All rows that match the filter of the table. */
  matching?: { filter: BulkFilter; total: number } | undefined
}

/** The number of selected rows, and their actions. */
export function BulkActions<Row extends { id: number }>(props: BulkProps<Row>) {
  const { actions, selection, shown, matching } = props
  const say = useTranslations('layout.bulk')
  const label = useTranslations('labels')
  const run = useBulkRun(actions)
  const { all } = selection
  const isAll = all !== undefined && all === matching?.filter
  const rows = selection.selected.map((row) => shown.find(({ id }) => id === row.id) ?? row)
  const count = isAll ? matching.total : rows.length
  const close = () => {
    run.close()
    // Rows that were not changed stay selected.
    const changed = new Set(run.progress.ids)
    selection.onChange(selection.selected.filter(({ id }) => !changed.has(id)))
  }
  return (
    <span className={styles.bulk}>
      {count > 0 && (
        <>
          <span role="status">{say(isAll ? 'allSelected' : 'selected', { count })}</span>
          <SelectAll {...props} isAll={isAll} />
          <Button variant="inline-link" onClick={() => selection.onChange([])}>
            {say('clear')}
          </Button>
        </>
      )}
      <ButtonDropdown
        disabled={count === 0}
        disabledReason={say('nothingSelected')}
        loading={run.phase === 'checking'}
        expandToViewport
        items={actions.map(({ id, label, needs }) => {
          const reason = !isAll && rows.length > 0 ? needs?.(rows) : undefined
          return { id, text: label, disabled: reason !== undefined, disabledReason: reason }
        })}
        onItemClick={({ detail }) =>
          run.open(
            { id: detail.id, selections: isAll ? [{ filter: all }] : selectionsOf(selection, rows) },
            { onDone: () => selection.onChange([]) },
          )
        }
      >
        {label('actions')}
      </ButtonDropdown>
      <BulkDialog run={run} onClose={close} />
    </span>
  )
}

/** Once a whole page is selected: the way to all pages. */
function SelectAll<Row extends { id: number }>({
  selection,
  shown,
  matching,
  isAll,
}: BulkProps<Row> & { isAll: boolean }) {
  const say = useTranslations('layout.bulk')
  const chosen = new Set(selection.selected.map(({ id }) => id))
  const isPage = shown.length > 0 && shown.every(({ id }) => chosen.has(id))
  if (isAll || !isPage || !matching || !selection.selectAll || matching.total <= chosen.size) return null
  const { filter, total } = matching
  return (
    <Button
      variant="inline-link"
      {...(typeof filter === 'string'
        ? { onClick: () => selection.selectAll?.(filter) }
        : { disabled: true, disabledReason: filter.refused })}
    >
      {say('selectAll', { count: total })}
    </Button>
  )
}
