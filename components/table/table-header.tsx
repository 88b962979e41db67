import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useFormatter } from 'use-intl'
import { CsvLink } from './csv-link'
import type { ServerTableProps } from './server-table'
import { BulkActions } from './table-bulk'
import { Progress } from './table-states'
import { ViewsMenu } from './table-views-menu'

/** What the list is, how long it is, and what can be done with it. */
export function TableHeader<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { title, headingTag = 'h2', description, list } = props
  const format = useFormatter()
  const total = list.data?.totalSize
  return (
    <Header
      variant={headingTag}
      description={description}
      actions={<TableActions {...props} />}
      info={<Progress isActive={list.isPlaceholderData} />}
      {...(total !== undefined && { counter: `(${format.number(total)})` })}
    >
      {title}
    </Header>
  )
}

function TableActions<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { title, table, list, csv, bulk, selection, actions, filterLabel, tokens, filters } = props
  const canBeNarrowed = filterLabel !== undefined || tokens !== undefined || filters !== undefined
  if (!canBeNarrowed && !csv && !bulk) return actions
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {bulk && selection && (
        <BulkActions actions={bulk} selection={selection} shown={list.data?.collection ?? []} />
      )}
      {canBeNarrowed && <ViewsMenu title={title} table={table} />}
      {csv && <CsvLink href={csv} total={list.data?.totalSize} />}
      {actions}
    </SpaceBetween>
  )
}
