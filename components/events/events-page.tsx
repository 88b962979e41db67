import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useLocale, useNow, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { useAsOf } from '#components/base/screens/as-of'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { useMay } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { useAddress } from '#components/kit/address'
import { screenIcons } from '#components/kit/screen-icons'
import { Segments } from '#components/kit/segments'
import { Tool } from '#components/kit/tool'
import { csvHref } from '#components/table/csv-link'
import { listLoader, type RequestedTable } from '#components/table/list-loader'
import { ServerTable } from '#components/table/server-table'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { eventsPath, eventsQuery } from '#lib/record/events/events.queries'
import { type EventDocument, entityTypes, eventOrders } from '#lib/record/events/events.schema'
import { eventFacts, eventOrigin } from './event-columns'
import { EventPanel } from './event-panel'
import { eventTokens } from './event-tokens'
import styles from './events.module.css'
import { askedFor, inUrl, type Period, periodOf } from './period'
import { PeriodPicker } from './period-picker'
import { type OpenEvent, useOpenEvent } from './use-open-event'

const filters = {
  user: 'id',
  enterprise: 'id',
  entity: entityTypes,
  entityid: 'id',
  action: 'text',
  last: 'text',
  from: 'text',
  to: 'text',
  about: ['signins', 'all'],
} as const

const MINUTE = 60_000

const spec = { name: 'events', by: 'timestamp', asc: false, orders: eventOrders, filters } as const

type Table = Pick<RequestedTable<keyof typeof filters>, 'filters' | 'query'>

/** The query of the table, with the chosen period as its times. */
const inPeriod = ({ filters, query }: Table, now: Date) => {
  const times = askedFor(periodOf(filters), now)
  const { about, action } = filters
  // A chosen action may be a sign-in.
  const signins = about === 'all' || action ? undefined : about === 'signins'
  return { ...query, about: undefined, last: undefined, from: undefined, to: undefined, signins, ...times }
}

export const loader = listLoader(spec, (client, table) =>
  client.prefetchQuery(eventsQuery(inPeriod(table, new Date()))),
)

/** The state of the list of events, and its query. */
function useEventList() {
  const table = useTableState(spec)
  const period = periodOf(table.filters)
  const asof = useAsOf()
  const now = useNow({ updateInterval: MINUTE })
  const query = inPeriod(table, asof === undefined ? now : new Date(asof))
  const change = useSearchChange()
  const setPeriod = (next: Period | undefined) =>
    change({ last: '', from: '', to: '', page: '', ...inUrl(next) })
  return {
    table,
    period,
    setPeriod,
    query,
    list: useList(table, (startwith) => eventsQuery({ ...query, startwith })),
  }
}

export function Component() {
  const say = useTranslations('events')
  return (
    <Page isList title={say('title')} description={say('description')}>
      <Events />
    </Page>
  )
}

/** The list of all visible events, with the open one beside it. */
function Events() {
  const events = useEventList()
  const opened = useOpenEvent({ ...events, data: events.list.data })
  // An event opened by its link takes the focus; one opened by a press on its row leaves the focus in the list.
  const [focused, setFocused] = useState<number>()
  const close = () => {
    setFocused(undefined)
    opened.show(undefined)
    document.getElementById(linkId(opened.id))?.querySelector('a')?.focus()
  }
  return (
    <EventList
      events={events}
      opened={opened}
      onFocus={setFocused}
      panel={
        opened.id !== undefined && (
          <EventPanel id={opened.id} opened={opened} takesFocus={focused === opened.id} onClose={close} />
        )
      }
    />
  )
}

const linkId = (event: number | undefined): string => `event-${event}`

type EventListProps = {
  events: ReturnType<typeof useEventList>
  opened: OpenEvent
  onFocus: (event: number | undefined) => void
  panel: ReactNode
}

function EventList({ events, opened, onFocus, panel }: EventListProps) {
  const say = useTranslations('events')
  const { table, period, setPeriod, query, list } = events
  const link = ({ id }: EventDocument, moment: ReactNode) => (
    <span id={linkId(id)}>
      <OpenLink search={opened.searchOf(id)} onOpen={() => onFocus(id)}>
        {moment}
      </OpenLink>
    </span>
  )
  return (
    <ServerTable
      title={say('title')}
      table={table}
      list={list}
      columns={[...eventFacts(say, { opened: link }), ...eventOrigin(say)]}
      filterLabel={say('filter')}
      tokens={useTokens()}
      filters={<PeriodPicker period={period} onChange={setPeriod} />}
      filtersStay
      chips={<KindChips table={table} />}
      csv={csvHref(eventsPath, query)}
      actions={
        <Tool
          icon={screenIcons.refresh}
          label={say('refresh')}
          busy={list.isFetching}
          onPress={() => void list.refetch()}
        />
      }
      open={opened.id}
      panel={panel}
      onOpen={({ id }) => {
        onFocus(document.activeElement?.matches(':focus-visible') ? id : undefined)
        opened.show(id)
      }}
      empty={{ title: say('empty.title'), hint: say('empty.hint') }}
    />
  )
}

/** The list begins with changes, which are fewer than sign-ins. */
function KindChips({ table }: Pick<EventListProps['events'], 'table'>) {
  const say = useTranslations('events.about')
  const { about = 'changes', ...others } = table.filters
  return (
    <Segments
      label={say('label')}
      value={about}
      choices={(['changes', 'signins', 'all'] as const).map((value) => ({ value, text: say(value) }))}
      onChange={(next) =>
        table.setSearch(table.has, next === 'changes' ? others : { ...others, about: next })
      }
    />
  )
}

function useTokens() {
  const say = useTranslations('events')
  const locale = useLocale()
  const users = useMay(...access.users)
  const enterprises = useMay(...access.enterprises)
  return eventTokens(say, { locale, users, enterprises })
}

type OpenLinkProps = { search: string; onOpen: () => void; children: ReactNode }

/** Opens an event beside the list without scrolling. */
function OpenLink({ search, onOpen, children }: OpenLinkProps) {
  const navigate = useNavigate()
  return (
    <a
      href={useAddress()(search)}
      className={styles.open}
      onClick={(event) => {
        event.preventDefault()
        onOpen()
        void navigate({ search }, { preventScrollReset: true })
      }}
    >
      {children}
    </a>
  )
}
