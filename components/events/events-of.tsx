import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { access } from '#components/access'
import { AppLink } from '#components/layout/app-link'
import { ServerTable } from '#components/layout/server-table'
import { useMay } from '#components/layout/session'
import { useIsNarrow } from '#components/layout/table-width'
import { useTableState } from '#components/layout/use-table-state'
import { paths } from '#components/paths'
import { eventsQuery } from '#lib/events/events.queries'
import type { EntityType } from '#lib/events/events.schema'
import { eventFacts } from './event-columns'
import { EventsClosed } from './events-closed'

type EventsOfProps = { entity: EntityType; entityid: number }

/** What was done to one thing: for a tab of its screen. */
export function EventsOf(thing: EventsOfProps) {
  return useMay(...access.events) ? <EventsTable {...thing} /> : <EventsClosed />
}

function EventsTable({ entity, entityid }: EventsOfProps) {
  const say = useTranslations('events')
  const table = useTableState({ name: 'events-of', prefix: 'events', size: 10, by: 'timestamp', asc: false })
  const list = useQuery(eventsQuery({ ...table.query, entity, entityid }))
  return (
    <ServerTable
      title={say('title')}
      table={table}
      list={list}
      columns={eventFacts(say, {
        isNarrow: useIsNarrow(),
        opened: ({ id }, moment) => (
          <AppLink to={paths.events({ entity, entityid, event: id })}>{moment}</AppLink>
        ),
      })}
      actions={<AppLink to={paths.events({ entity, entityid })}>{say('all')}</AppLink>}
      empty={{ title: say('empty.title'), hint: say('empty.ofThing') }}
    />
  )
}
