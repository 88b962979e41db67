import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { Notice } from '#components/kit/notice'
import { ServerTable } from '#components/table/server-table'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { eventsQuery } from '#lib/record/events/events.queries'
import type { EntityType } from '#lib/record/events/events.schema'
import { eventFacts } from './event-columns'

type EventsOfProps = { entity: EntityType; entityid: number }

/** The events of one object, for a tab of its screen. */
export function EventsOf(thing: EventsOfProps) {
  return useMay(...access.events) ? <EventsTable {...thing} /> : <EventsClosed />
}

function EventsTable({ entity, entityid }: EventsOfProps) {
  const say = useTranslations('events')
  const table = useTableState({ name: 'events-of', prefix: 'events', by: 'timestamp', asc: false })
  const list = useList(table, (startwith) => eventsQuery({ ...table.query, startwith, entity, entityid }))
  return (
    <ServerTable
      title={say('title')}
      table={table}
      list={list}
      columns={eventFacts(say, {
        opened: ({ id }, moment) => (
          <AppLink to={paths.events({ entity, entityid, event: id })}>{moment}</AppLink>
        ),
      })}
      actions={<AppLink to={paths.events({ entity, entityid })}>{say('all')}</AppLink>}
      empty={{ title: say('empty.title'), hint: say('empty.ofThing') }}
    />
  )
}

/** Replaces a list of events that the user may not see. */
function EventsClosed() {
  const say = useTranslations('events.closed')
  const role = useTranslations('roles.privileges')
  return (
    <Notice title={say('title')}>
      {say('hint')}
      <ul>
        {access.events.map((privilege) => (
          <li key={privilege}>
            {role(privilege)} <code>{privilege}</code>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
