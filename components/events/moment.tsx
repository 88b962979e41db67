import { useFormatter, useNow } from 'use-intl'
import styles from './events.module.css'

const MINUTE = 60_000

/** When it was, to the minute or `exact` to the second with the time zone, and how long ago. */
export function Moment({ at, exact = false }: { at: string; exact?: boolean }) {
  const format = useFormatter()
  const now = useNow({ updateInterval: MINUTE })
  const moment = new Date(at)
  // What is not a minute old is now. Clocks differ a little: so is what lies ahead.
  const isOld = now.getTime() - moment.getTime() >= MINUTE
  return (
    <time dateTime={at}>
      {format.dateTime(moment, { dateStyle: 'medium', timeStyle: exact ? 'long' : 'short' })}{' '}
      <span className={styles.quiet}>{format.relativeTime(isOld ? moment : now, now)}</span>
    </time>
  )
}
