import { type RefObject, useState } from 'react'
import { MenuAt, type MenuEntry } from '#components/kit/menu'
import { RowButton } from '#components/kit/row-action'
import { screenIcons } from '#components/kit/screen-icons'
import type { TableColumn } from './table-columns'

type RowMenuOptions<Row> = {
  /** The name of the menu of a row. */
  labelOf: (row: Row) => string
  actionsOf: (row: Row) => readonly MenuEntry[]
}

/** A button in each row, and one menu for all of them: a menu in each row would cost more than the row. */
export function useRowMenu<Row>({ labelOf, actionsOf }: RowMenuOptions<Row>) {
  const [open, setOpen] = useState<{ row: Row; at: RefObject<HTMLElement> }>()
  const column: TableColumn<Row> = {
    id: 'actions',
    width: 44,
    isTool: true,
    cell: (row) => (
      <RowButton label={labelOf(row)} onPress={(button) => setOpen({ row, at: { current: button } })}>
        {screenIcons.more}
      </RowButton>
    ),
  }
  const menu = open && (
    <MenuAt
      label={labelOf(open.row)}
      at={open.at}
      entries={actionsOf(open.row)}
      onClose={() => setOpen(undefined)}
    />
  )
  return { column, menu }
}
