import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { useAsOf } from '#components/base/screens/as-of'
import { searchWith } from '#components/base/screens/use-search-change'
import { asWritten, COMPARE } from '#components/frame/as-of/keep-moment'
import {
  Both,
  type Present,
  pathOf,
  SinceMark,
  useComparing,
  usePresent,
} from '#components/frame/as-of/present'
import { type Document, differences } from '#components/frame/undo/comparison'
import { useFieldWords } from '#components/frame/undo/use-field-words'
import { Button } from '#components/kit/button'
import { Badge } from '#components/kit/status'
import { presentOf } from '#lib/client/past-client'
import { collectionQuery, resourceQuery, type Tagged } from '#lib/client/resources.queries'
import { ownLink } from '#lib/ground/http/view'
import styles from './table.module.css'
import type { ColumnWithHeader } from './table-columns'
import { nameIn } from './table-url'
import type { ListResult } from './use-list'
import type { TableState } from './use-table-state'

/* "Compare with now": rows of a past list beside what they are now. */

type Compared<Row> = {
  present: ReadonlyMap<number, Present<Row>>
  isOn: boolean
  /** Events never change, so a list of them has nothing to compare. */
  isFixed: boolean
}

/** The rows as they are now. */
export function useCompared<Row extends { id: number }>(
  list: ListResult<Row>,
  { starts, loaded }: { starts: readonly number[]; loaded: readonly Row[] },
): Compared<Row> {
  const comparing = useComparing()
  const isFixed = comparing.isOn && list.pageFrom(0).queryKey[1] === 'events'
  const isOn = comparing.isOn && !isFixed
  const pages = starts.map((start) => ({ ...list.pageFrom(start), placeholderData: undefined }))
  const { present } = usePresent({
    isOn,
    pages,
    loaded,
    one: (row) =>
      ownLink(row) && {
        ...resourceQuery<Row>(pathOf(row)),
        select: ({ document }: Tagged<Row>) => document,
      },
  })
  return { present, isOn, isFixed }
}

/** The columns, with both values where a row differs, and a word in its first column. */
export const comparedColumns = <Row extends { id: number }>(
  columns: readonly ColumnWithHeader<Row>[],
  { present, isOn }: Compared<Row>,
): readonly ColumnWithHeader<Row>[] =>
  isOn
    ? columns.map((column) => ({
        ...column,
        cell: (row: Row) => (
          <ComparedCell
            row={row}
            present={present.get(row.id)}
            cell={column.cell}
            isFirst={column.isRowHeader}
          />
        ),
      }))
    : columns

type CellProps<Row> = {
  row: Row
  present: Present<Row> | undefined
  cell: (row: Row) => ReactNode
  isFirst: boolean | undefined
}

function ComparedCell<Row extends { id: number }>({ row, present, cell, isFirst = false }: CellProps<Row>) {
  const say = useTranslations('layout.asOf.since')
  const { nameOf } = useFieldWords()
  if (present === undefined) return cell(row)
  if (present === 'gone')
    return (
      <>
        {cell(row)} {isFirst && <SinceMark since="removed" />}
      </>
    )
  const changed = Object.keys(differences(row as unknown as Document, present as unknown as Document))
  if (changed.length === 0) return cell(row)
  return (
    <>
      <Both then={cell(row)} now={cell(present)} />{' '}
      {isFirst && <Badge kind="warn">{say('changedIn', { fields: changed.map(nameOf).join(', ') })}</Badge>}
    </>
  )
}

/** The time since a moment, as the filter `changed` takes it, in the smallest unit that reaches so far. */
export function changedSince(moment: string, now: number): string {
  const minutes = Math.max(1, Math.ceil((now - Date.parse(moment)) / 60_000))
  const [unit, length] =
    minutes < 10_000 ? (['m', 1] as const) : minutes < 600_000 ? (['h', 60] as const) : (['d', 1440] as const)
  return `<${Math.ceil(minutes / length)}${unit}`
}

type SummaryProps<Row> = {
  list: Pick<ListResult<Row>, 'data' | 'pageFrom'>
  table: TableState<string>
  compared: Compared<Row>
}

/** Above the rows: how many were changed, added or removed since, also behind this page. */
export function ComparedSummary<Row extends { id: number }>(props: SummaryProps<Row>) {
  const { isOn, isFixed } = props.compared
  if (isFixed) return <Fixed />
  return isOn ? <Summary {...props} /> : null
}

function Fixed() {
  return <div className={styles.note}>{useTranslations('layout.asOf.since')('fixed')}</div>
}

function Summary<Row extends { id: number }>({ list, table, compared: { present } }: SummaryProps<Row>) {
  const say = useTranslations('layout.asOf.since')
  const format = useFormatter()
  const asof = useAsOf() ?? ''
  const client = presentOf(useQueryClient())
  const showNow = useShowNow(table)
  const { queryKey } = list.pageFrom(0)
  const [now] = useState(Date.now)
  const changed = changedSince(asof, now)
  const hasFilter = 'changed' in table.filterValues
  const query = { ...(queryKey.at(-1) as object), startwith: 0, limit: 1, changed }
  const path = `/${queryKey.slice(0, -1).join('/')}`
  const { data } = useQuery({ ...collectionQuery<Row>(path, query), enabled: hasFilter }, client)
  const total = useQuery(list.pageFrom(table.query.startwith), client).data?.totalSize
  const gone = [...present.values()].filter((row) => row === 'gone').length
  const before = list.data?.totalSize
  return (
    <div className={styles.note} role="status">
      {before !== undefined &&
        total !== undefined &&
        say('totals', { before: format.number(before), now: format.number(total) })}{' '}
      {gone > 0 && say('removedHere', { count: gone })}{' '}
      {data !== undefined && say('touched', { count: data.totalSize })}{' '}
      {data !== undefined && data.totalSize > 0 && (
        <Button look="link" onPress={() => showNow(changed)}>
          {say('showTouched')}
        </Button>
      )}
    </div>
  )
}

/** Leaves the past for the rows of the same list that were changed or added since. */
function useShowNow({ prefix }: Pick<TableState<string>, 'prefix'>): (changed: string) => void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (changed) =>
    void navigate(
      `${pathname}?${searchWith(search, {
        asof: undefined,
        [COMPARE]: undefined,
        [nameIn(prefix, 'page')]: undefined,
        [nameIn(prefix, 'from')]: undefined,
        [nameIn(prefix, 'changed')]: changed,
      })}`,
      { state: asWritten },
    )
}
