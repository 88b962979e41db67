import { type CSSProperties, type ReactNode, useContext, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { useIsPast } from '#components/base/screens/as-of'
import { Deferred } from '#components/frame/layout/deferred'
import { PageTitle, TablePlaceContext } from '#components/frame/layout/page'
import { ScreenTools } from '#components/frame/layout/screen-tools'
import { useImport } from '#components/import/use-import'
import { Band } from '#components/kit/frame'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import type { EntityType } from '#lib/record/events/events.schema'
import type { ExportEntity } from '#lib/state/plans/plans.schema'
import type { BulkAction } from './bulk'
import { BulkActions } from './bulk-actions'
import { CsvLink } from './csv-link'
import { News } from './news'
import { ListPrefix } from './notes'
import { type ListProps, ServerRows } from './server-rows'
import styles from './table.module.css'
import { type ColumnWithHeader, type TableColumn, withHeaders } from './table-columns'
import { rowHeights, useTablePreferences } from './table-preferences'
import { TablePreferencesButton } from './table-preferences-button'
import type { Token } from './table-tokens'
import { useIsNarrow } from './table-width'
import { TokenFilter } from './token-filter'
import { SaveViewButton, ViewTabs } from './view-tabs'

type ServerTableProps<Row> = ListProps<Row> & {
  description?: ReactNode
  columns: readonly TableColumn<Row>[]
  /** The kind of the rows in events: then the table shows a notice of changes by other users. */
  entity?: EntityType
  /** The label of the text filter; if absent, there is no text filter. */
  filterLabel?: string
  /** Filters as words, in one field with the text filter. */
  tokens?: readonly Token[]
  /** Further filter controls. */
  filters?: ReactNode
  /** They are shown on phones too. */
  filtersStay?: boolean
  /** Frequent filters with their counts, each one click away. */
  chips?: ReactNode
  /** In a line of its own between the controls and the rows. */
  note?: ReactNode
  actions?: ReactNode
  /** The path of the full export, from `csvHref`. */
  csv?: string
  /** The kind of the rows in an import, for a list that is not limited to one resource. */
  imports?: ExportEntity
  /** The actions for the selected rows. */
  bulk?: readonly BulkAction<Row>[]
}

/** The table of a paged collection. The server pages, sorts and filters; the URL holds the state. */
export function ServerTable<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { at } = useContext(TablePlaceContext)
  return (
    <Deferred
      before={
        <div className={`kit ${styles.list} ${at === 'tab' ? styles.tab : ''}`}>
          <Band label={props.title}>
            <Title {...props} />
          </Band>
        </div>
      }
    >
      <Rows {...props} />
    </Deferred>
  )
}

function Rows<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { table, list } = props
  const isPast = useIsPast()
  const columns = withHeaders(
    useTranslations('labels'),
    props.columns.filter(({ isNow }) => !isNow || !isPast),
  )
  const [preferences] = useTablePreferences(table.name)
  const height = preferences.density && rowHeights[preferences.density]
  const place = useContext(TablePlaceContext)
  return (
    <ListPrefix value={table.prefix}>
      <div
        className={`kit ${styles.list} ${preferences.wrap ? styles.wrap : ''} ${place.at === 'page' ? '' : styles[place.at]}`}
        style={height ? ({ '--row': height } as CSSProperties) : undefined}
      >
        {list.data && list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
        <TableBand {...props} columns={columns} />
        <Note {...props} />
        <ServerRows {...props} columns={columns} />
      </div>
    </ListPrefix>
  )
}

function Note<Row>({ note, description }: ServerTableProps<Row>) {
  const isTab = useContext(TablePlaceContext).at === 'tab'
  return (
    <>
      {isTab && description && <div className={styles.note}>{description}</div>}
      {note && <div className={styles.note}>{note}</div>}
    </>
  )
}

const noRows: never[] = []

/** The list has no rows, whatever the filter: there is nothing to page through or to arrange. */
const isEmpty = <Row,>({ list, table }: ServerTableProps<Row>): boolean =>
  list.data?.totalSize === 0 && !table.isFiltered

type BandProps<Row> = ServerTableProps<Row> & { columns: readonly ColumnWithHeader<Row>[] }

/** All controls of the table. The selection takes the place of the filters and actions, so that nothing moves. */
function TableBand<Row extends { id: number }>(props: BandProps<Row>) {
  const {
    title,
    table,
    selection,
    bulk,
    bulkFilter,
    list,
    chips,
    filters,
    filtersStay = false,
    entity,
  } = props
  const say = useTranslations('layout.table')
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const total = list.isPlaceholderData ? undefined : list.data?.totalSize
  const isSelected =
    bulk !== undefined &&
    selection !== undefined &&
    (selection.selected.length > 0 || selection.all !== undefined)
  return (
    <Band label={title}>
      <Title {...props} isUnseen={isSelected} />
      {bulk && selection && (
        <BulkActions
          actions={bulk}
          selection={selection}
          shown={list.data?.collection ?? noRows}
          matching={
            bulkFilter === undefined || total === undefined ? undefined : { filter: bulkFilter, total }
          }
        />
      )}
      {!isSelected && (
        <>
          {canBeNarrowed(props) && <ViewTabs title={title} table={table} />}
          <Search {...props} />
          {isNarrow && (
            <Tool
              look="quiet"
              icon={screenIcons.more}
              label={say('tools')}
              aria-expanded={isOpen}
              onPress={() => setOpen(!isOpen)}
            />
          )}
          {chips}
          {filtersStay && filters}
          <News entity={entity} list={list} />
          {/* Hidden, and not gone: a dialog of theirs stays open when the window becomes narrow. */}
          <div className={styles.fold} hidden={isNarrow && !isOpen}>
            {!filtersStay && filters}
            <TableTools {...props} />
          </div>
        </>
      )}
    </Band>
  )
}

/** The title stands once: as the heading of the screen, as the name of the tab, or here. */
function Title<Row>({
  title,
  description,
  list,
  chips,
  isUnseen,
}: ServerTableProps<Row> & { isUnseen?: boolean }) {
  const format = useFormatter()
  const say = useTranslations('layout.table')
  const place = useContext(TablePlaceContext)
  const total = list.data?.totalSize
  const counter = total === undefined ? undefined : `(${format.number(total)})`
  if (place.at === 'tab')
    return (
      <span className={isUnseen ? 'unseen' : styles.count}>
        {total !== undefined && say('total', { count: total })}
      </span>
    )
  const about = place.at === 'page' ? place.heading.description : description
  return (
    <>
      <div className={isUnseen ? 'unseen' : styles.title}>
        {place.at === 'page' ? (
          <PageTitle {...place.heading} counter={counter || place.heading.counter} />
        ) : (
          <h2>
            {title} <small className={styles.count}>{counter}</small>
          </h2>
        )}
      </div>
      {about && !chips && !isUnseen && <div className={styles.about}>{about}</div>}
    </>
  )
}

function Search<Row>({ filterLabel, tokens = [], table }: ServerTableProps<Row>) {
  if (!filterLabel && tokens.length === 0) return null
  return <TokenFilter tokens={tokens} table={table} label={filterLabel} />
}

const canBeNarrowed = <Row,>({ filterLabel, tokens, filters }: ServerTableProps<Row>): boolean =>
  filterLabel !== undefined || tokens !== undefined || filters !== undefined

function TableTools<Row extends { id: number }>(props: BandProps<Row>) {
  const { table, list, csv, imports, actions, columns } = props
  const place = useContext(TablePlaceContext)
  const { open: onImport, dialog } = useImport(imports)
  const [preferences, setPreferences] = useTablePreferences(table.name)
  return (
    <div className={styles.tools}>
      {place.at === 'page' && <ScreenTools title={place.heading.title} isBare />}
      {canBeNarrowed(props) && <SaveViewButton table={table} />}
      {csv && <CsvLink href={csv} total={list.data?.totalSize} onImport={onImport} />}
      {!isEmpty(props) && (
        <TablePreferencesButton columns={columns} preferences={preferences} onConfirm={setPreferences} />
      )}
      {actions}
      {dialog}
    </div>
  )
}
