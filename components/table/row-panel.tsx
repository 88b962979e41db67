import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { idIn } from '#components/base/forms/ids'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { LinkButton } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Panel } from '#components/kit/frame'
import type { MenuEntry } from '#components/kit/menu'
import { Tool } from '#components/kit/tool'
import type { ColumnWithHeader } from './table-columns'

/** What the panel of a row shows beside the row's columns. */
export type RowDetails = {
  title: string
  /** The page of the row. */
  to?: string
  actions?: readonly MenuEntry[]
  children?: ReactNode
}

/** The row that is open beside the list, from the URL. */
export function useOpenRow<Row extends { id: number }>(rows: readonly Row[], prefix = '') {
  const name = prefix && `${prefix}.`
  const change = useSearchChange()
  const id = idIn(useSearchParams()[0], `${name}row`)
  const found = rows.find((row) => row.id === id)
  const [kept, keep] = useState(found)
  if (found && found !== kept) keep(found)
  return {
    // It stays open when its row is scrolled away.
    row: found ?? (kept?.id === id ? kept : undefined),
    show: (row: Row) =>
      change({ [`${name}row`]: String(row.id), do: undefined }, { replace: id !== undefined }),
    close: () => change({ [`${name}row`]: undefined, do: undefined }),
  }
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

type RowPanelProps<Row> = RowDetails & {
  row: Row
  columns: readonly ColumnWithHeader<Row>[]
  onClose: () => void
}

/** All columns of one row, with its actions. */
export function RowPanel<Row>(props: RowPanelProps<Row>) {
  const { row, columns, title, to, actions = [], children, onClose } = props
  const say = useTranslations('layout.table')
  const close = useTranslations('common')('close')
  // The address can ask for an action: its button then has the focus.
  const asked = useSearchParams()[0].get('do')
  const facts = columns.filter(({ isRowHeader, isTool }) => !isRowHeader && !isTool)
  return (
    <Panel
      title={title}
      label={title}
      closeLabel={close}
      onClose={onClose}
      actions={
        (to !== undefined || actions.length > 0) && (
          <>
            {to !== undefined && <LinkButton href={to}>{say('openPage')}</LinkButton>}
            {actions.map(({ id, text, refused, isDanger, run }) => (
              <Tool
                key={id}
                look={isDanger ? 'danger' : 'plain'}
                refused={refused}
                onPress={run}
                ref={id === asked ? focus : undefined}
              >
                {text}
              </Tool>
            ))}
          </>
        )
      }
    >
      {children}
      <Facts items={facts.map(({ header, cell }) => ({ label: header, value: cell(row) }))} />
    </Panel>
  )
}
