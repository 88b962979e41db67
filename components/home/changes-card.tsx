import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { useIsPast } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { EventSentence } from '#components/events/event-sentence'
import { Moment } from '#components/events/moment'
import { actOf } from '#components/events/sentence'
import { UndoEvent } from '#components/frame/undo/undo-event'
import { eventsQuery } from '#lib/record/events/events.queries'
import type { EventDocument } from '#lib/record/events/events.schema'
import styles from './home.module.css'
import { ListCard } from './list-card'

/** A stream would hold one of the six connections that a browser has to a host for each open Home. */
const REFRESH_MS = 5_000

/** The latest changes as they happen, each with its undo. */
export function ChangesCard() {
  const say = useTranslations('home.events')
  const list = useQuery({
    ...eventsQuery({ by: 'timestamp', asc: false, limit: 6, signins: false }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <ListCard
      list={list}
      title={say('title')}
      footer={list.data && list.data.totalSize > 0 && <AppLink to={paths.events()}>{say('all')}</AppLink>}
      loading={{ label: say('loading'), height: 280 }}
      none={say('none')}
    >
      {(events) => (
        <ul className={styles.rows}>
          {events.map((event) => (
            <ChangeRow key={event.id} event={event} />
          ))}
        </ul>
      )}
    </ListCard>
  )
}

function ChangeRow({ event }: { event: EventDocument }) {
  const say = useTranslations('events')
  const isPast = useIsPast()
  return (
    <li className={styles.change}>
      <span className={styles.place}>
        <EventSentence event={event} />
      </span>
      <AppLink to={paths.events({ event: event.id })}>
        <Moment at={event.timestamp} />
      </AppLink>
      {!isPast && <UndoEvent event={event} name={actOf(event, say)} isOneOfMany />}
    </li>
  )
}
