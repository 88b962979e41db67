import Button from '@cloudscape-design/components/button'
import { useTranslations } from 'use-intl'
import { useFollow } from '#components/base/screens/app-link'
import type { TableColumn } from './table-columns'

type RowAction = {
  does: 'edit' | 'remove'
  /** Why the action is disabled. */
  refused?: string | undefined
} & ({ to: string } | { onClick: () => void })

type ActionsColumn<Row> = {
  /** The name of a row for screen readers. */
  nameOf: (row: Row) => string
  actionsOf: (row: Row) => readonly RowAction[]
}

/** The column with the actions of each row. */
export const actionsColumn = <Row,>({ nameOf, actionsOf }: ActionsColumn<Row>): TableColumn<Row> => ({
  id: 'actions',
  cell: (row) => <RowActions name={nameOf(row)} actions={actionsOf(row)} />,
})

function RowActions({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const follow = useFollow()
  const say = useTranslations('datacenters.rows')
  return (
    <div style={{ display: 'flex', gap: 16 }}>
      {actions.map((action) => (
        <Button
          key={action.does}
          {...(action.does === 'edit' && { 'data-key': 'e' })}
          variant="inline-icon"
          iconName={action.does}
          ariaLabel={say(action.does, { name })}
          {...('to' in action ? { href: action.to, onFollow: follow } : { onClick: action.onClick })}
          {...(action.refused !== undefined && { disabled: true, disabledReason: action.refused })}
        />
      ))}
    </div>
  )
}
