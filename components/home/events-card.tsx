import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { EventSentence } from '#components/events/event-sentence'
import { Moment } from '#components/events/moment'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { eventsQuery } from '#lib/events/events.queries'
import styles from './home.module.css'
import { ListCard } from './list-card'

/** The last changes, and who made them. */
export function EventsCard() {
  const say = useTranslations('home.events')
  const list = useQuery(eventsQuery({ by: 'timestamp', asc: false, limit: 6 }))
  return (
    <ListCard
      list={list}
      title={say('title')}
      footer={list.data && list.data.totalSize > 0 && <AppLink to={paths.events()}>{say('all')}</AppLink>}
      loading={{ label: say('loading'), height: 200 }}
      none={say('none')}
    >
      {(events) => (
        <ul className={styles.rows}>
          {events.map((event) => (
            <li key={event.id} className={styles.event}>
              <span className={styles.place}>
                <EventSentence event={event} />
              </span>
              <AppLink to={paths.events({ event: event.id })} variant="primary">
                <Moment at={event.timestamp} />
              </AppLink>
            </li>
          ))}
        </ul>
      )}
    </ListCard>
  )
}
