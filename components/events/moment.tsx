import { useFormatter, useNow } from 'use-intl'
import styles from './events.module.css'

const MINUTE = 60_000

/** A time to the minute (`exact`: to the second, with the time zone), and how long ago it was. */
export function Moment({ at, exact = false }: { at: string; exact?: boolean }) {
  const format = useFormatter()
  const now = useNow({ updateInterval: MINUTE })
  const moment = new Date(at)
  // Times less than a minute ago read as now. So do times ahead, because clocks differ a little.
  const isOld = now.getTime() - moment.getTime() >= MINUTE
  return (
    <time dateTime={at}>
      <span className={styles.together}>
        {format.dateTime(moment, { dateStyle: 'medium', timeStyle: exact ? 'long' : 'short' })}
      </span>{' '}
      <span className={`${styles.quiet} ${styles.together}`}>
        {format.relativeTime(isOld ? moment : now, now)}
      </span>
    </time>
  )
}
