import { useTranslations } from 'use-intl'
import { ScreenLink } from '#components/base/session/screen-link'
import { type TablePlace, TablePlaceContext } from '#components/frame/layout/page'
import { useFieldWords } from '#components/frame/undo/use-field-words'
import { csvHref } from '#components/table/csv-link'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { linkOf } from '#lib/ground/http/view'
import { eventRowsPath, eventRowsQuery, type EventRow as Row } from '#lib/record/events/events.queries'
import type { Change, EventDocument } from '#lib/record/events/events.schema'
import styles from './events.module.css'
import { knownAction } from './sentence'

/** The parameters of the table in the URL begin with it. */
export const rowsPrefix = 'rows'

const spec = { name: 'event-rows', prefix: rowsPrefix, size: 20, by: 'id', asc: true } as const

const inPanel: TablePlace = { at: 'card' }

/** What an event about several resources touched, with the fields of each before and after. */
export function EventRows({ event }: { event: EventDocument }) {
  const say = useTranslations('events.rows')
  const table = useTableState(spec)
  const list = useList(table, (startwith) => eventRowsQuery(event.id, { ...table.query, startwith }))
  const columns: TableColumn<Row>[] = [
    {
      id: 'name',
      header: say('what'),
      isRowHeader: true,
      isWhole: true,
      small: 'first',
      cell: (row) => <Touched row={row} />,
    },
    {
      id: 'changes',
      header: say('changes'),
      isWhole: true,
      small: 'below',
      cell: ({ changes }) => <Changes changes={changes} />,
    },
  ]
  return (
    // The heading of the screen belongs to the list of events.
    <TablePlaceContext value={inPanel}>
      <ServerTable
        title={say('title')}
        table={table}
        list={list}
        columns={columns}
        filterLabel={say('filter')}
        csv={csvHref(eventRowsPath(event.id), table.query)}
        empty={{ title: say('empty'), hint: say('emptyHint') }}
      />
    </TablePlaceContext>
  )
}

/** The resource, and what happened to it. */
function Touched({ row }: { row: Row }) {
  const say = useTranslations('events')
  const action = knownAction(row.action)
  return (
    <div className={styles.whole}>
      <ScreenLink link={linkOf(row, 'entity')}>{row.entityName || say('unnamed')}</ScreenLink>{' '}
      <span className={styles.quiet}>
        {say(`kinds.${row.entityType}`)} · {action ? say(`actions.${action}`) : row.action}
      </span>
    </div>
  )
}

function Changes({ changes }: Pick<Row, 'changes'>) {
  const { nameOf } = useFieldWords()
  return (
    <ul className={styles.rowChanges}>
      {Object.entries(changes).map(([field, change]) => (
        <li key={field}>
          <span className={styles.quiet}>{nameOf(field)}:</span> <BeforeAndAfter change={change} />
        </li>
      ))}
    </ul>
  )
}

function BeforeAndAfter({ change }: { change: Change }) {
  const say = useTranslations('events.detail')
  const { textOf } = useFieldWords()
  const side = (text: string | undefined, isHidden: boolean | undefined) => {
    const shown = text === undefined ? [] : [text === '' ? say('emptyText') : textOf(text)]
    return [...shown, ...(isHidden ? [say('hidden')] : [])].join(', ')
  }
  const before = side(change.before, change.beforeHidden)
  const after = side(change.after, change.afterHidden)
  if (before === '') return after
  return (
    <>
      {before} → {after || say('noValue')}
    </>
  )
}
