import { useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import type { EntityType } from '#lib/record/events/events.schema'
import { MOST_NEWS, useNewsOf } from '#lib/record/events/news.queries'
import styles from './table.module.css'
import type { ListResult } from './use-list'

type NewsProps = {
  entity: EntityType | undefined
  list: Pick<ListResult<never>, 'dataUpdatedAt' | 'refetch'>
}

/** The number of changes by other users since the rows were loaded. Its space is reserved: nothing moves until a press loads the changes. */
export function News({ entity, list: { dataUpdatedAt, refetch } }: NewsProps) {
  const say = useTranslations('layout.table')
  const format = useFormatter()
  const place = useRef<HTMLSpanElement>(null)
  const count = useNewsOf(entity, dataUpdatedAt)
  if (!entity) return null
  const time = format.dateTime(new Date(dataUpdatedAt), { timeStyle: 'short' })
  const text = say('news', { count, most: count < MOST_NEWS ? '' : '+', time })
  return (
    <span ref={place} tabIndex={-1} className={styles.news} title={count > 0 ? text : undefined}>
      {count > 0 && (
        <Tool
          look="quiet"
          icon={screenIcons.refresh}
          label={say('loadNews', { news: text })}
          onPress={() => {
            // The button goes with the news.
            place.current?.focus()
            void refetch()
          }}
        >
          {format.number(count)}
        </Tool>
      )}
      <span className="unseen" role="status">
        {count > 0 && text}
      </span>
    </span>
  )
}
