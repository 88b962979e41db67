import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useTranslations } from 'use-intl'
import styles from '#components/layout/layout.module.css'
import type { BulkAction } from './bulk'
import { BulkDialog } from './bulk-dialog'
import type { Selection } from './selection'
import { useBulkRun } from './use-bulk-run'

type BulkProps<Row> = {
  actions: readonly BulkAction<Row>[]
  selection: Selection<Row>
  /** The rows that are shown: what they are now. */
  shown: readonly Row[]
}

/** How many rows are selected, and what can be done with them. */
export function BulkActions<Row extends { id: number }>({ actions, selection, shown }: BulkProps<Row>) {
  const say = useTranslations('layout.bulk')
  const run = useBulkRun<Row>()
  const rows = selection.selected.map((row) => shown.find(({ id }) => id === row.id) ?? row)
  const close = () => {
    run.close()
    // What is done is done; what was refused stays ticked.
    selection.onChange(selection.selected.filter(({ id }) => run.outcomeOf(id).state !== 'done'))
  }
  return (
    <span className={styles.bulk}>
      {rows.length > 0 && (
        <>
          <span role="status">{say('selected', { count: rows.length })}</span>
          <Button variant="inline-link" onClick={() => selection.onChange([])}>
            {say('clear')}
          </Button>
        </>
      )}
      <ButtonDropdown
        disabled={rows.length === 0}
        disabledReason={say('nothingSelected')}
        expandToViewport
        items={actions.map(({ id, label, needs }) => {
          const reason = rows.length > 0 ? needs?.(rows) : undefined
          return { id, text: label, disabled: reason !== undefined, disabledReason: reason }
        })}
        onItemClick={({ detail }) => {
          const action = actions.find(({ id }) => id === detail.id)
          if (action) run.open({ action, rows })
        }}
      >
        {say('actions')}
      </ButtonDropdown>
      <BulkDialog run={run} nameOf={selection.nameOf} onClose={close} />
    </span>
  )
}
