import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Skeleton from '@cloudscape-design/components/skeleton'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { EventSentence } from '#components/events/event-sentence'
import { Moment } from '#components/events/moment'
import { Failure } from '#components/forms/failure'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { eventsQuery } from '#lib/events/events.queries'
import styles from './home.module.css'

const shown = 6

/** What was done last, by whom. */
export function EventsCard() {
  const say = useTranslations('home.events')
  const { data, error, refetch } = useQuery(eventsQuery({ by: 'timestamp', asc: false, limit: shown }))
  return (
    <Container
      header={<Header variant="h2">{say('title')}</Header>}
      footer={data && data.totalSize > 0 && <AppLink to={paths.events()}>{say('all')}</AppLink>}
    >
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && (
        <div role="status" aria-label={say('loading')}>
          <Skeleton height="200px" />
        </div>
      )}
      {data?.totalSize === 0 && <Box color="text-body-secondary">{say('none')}</Box>}
      {data && data.totalSize > 0 && (
        <ul className={styles.rows}>
          {data.collection.map((event) => (
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
    </Container>
  )
}
