import { useTranslations } from 'use-intl'
import { useViewRefusal } from '#components/base/screens/see-as'
import { Selection as Selected } from '#components/kit/selection'
import { Tool } from '#components/kit/tool'
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
  const inView = useViewRefusal()
  const { all } = selection
  const isAll = all !== undefined && all === matching?.filter
  const rows = selection.selected.map((row) => shown.find(({ id }) => id === row.id) ?? row)
  const count = isAll ? matching.total : rows.length
  const nameOf = (id: number) => {
    const row = [...rows, ...shown].find((row) => row.id === id)
    return row && selection.nameOf(row)
  }
  const close = () => {
    run.close()
    // Rows that were not changed stay selected.
    const changed = new Set(run.progress.ids)
    selection.onChange(selection.selected.filter(({ id }) => !changed.has(id)))
  }
  return (
    <>
      {count > 0 && (
        <Selected
          text={say(isAll ? 'allSelected' : 'selected', { count })}
          clearLabel={say('clear')}
          moreLabel={label('actions')}
          actions={actions.map(({ id, label: text, needs }) => ({
            id,
            text,
            refused: inView ?? (!isAll && rows.length > 0 ? needs?.(rows) : undefined),
            run: () =>
              run.open(
                { id, selections: isAll ? [{ filter: all }] : selectionsOf(selection, rows), count, nameOf },
                { onDone: () => selection.onChange([]) },
              ),
          }))}
          onClear={() => selection.onChange([])}
        >
          <SelectAll {...props} isAll={isAll} />
        </Selected>
      )}
      <BulkDialog run={run} onClose={close} />
    </>
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
    <Tool
      look="quiet"
      refused={typeof filter === 'string' ? undefined : filter.refused}
      onPress={() => typeof filter === 'string' && selection.selectAll?.(filter)}
    >
      {say('selectAll', { count: total })}
    </Tool>
  )
}
