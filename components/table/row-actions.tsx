import { useTranslations } from 'use-intl'
import { RowAction } from '#components/kit/row-action'
import { screenIcons } from '#components/kit/screen-icons'
import type { TableColumn } from './table-columns'

type RowActionOf = {
  does: 'edit' | 'remove' | 'enable' | 'disable'
  /** Why the action is disabled. */
  refused?: string | undefined
} & ({ to: string } | { onClick: () => void })

type ActionsColumn<Row> = {
  /** The name of a row for screen readers. */
  nameOf: (row: Row) => string
  actionsOf: (row: Row) => readonly RowActionOf[]
}

/** The column with the actions of each row. */
export const actionsColumn = <Row,>({ nameOf, actionsOf }: ActionsColumn<Row>): TableColumn<Row> => ({
  id: 'actions',
  width: 76,
  isTool: true,
  cell: (row) => <RowActions name={nameOf(row)} actions={actionsOf(row)} />,
})

function RowActions({ name, actions }: { name: string; actions: readonly RowActionOf[] }) {
  const say = useTranslations('datacenters.rows')
  return actions.map((action) => (
    <RowAction
      key={action.does}
      label={say(action.does, { name })}
      icon={screenIcons[action.does]}
      refused={action.refused}
      hotKey={action.does === 'edit' ? 'e' : undefined}
      href={'to' in action ? action.to : undefined}
      onPress={'to' in action ? undefined : action.onClick}
    />
  ))
}
