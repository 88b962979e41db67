import Button from '@cloudscape-design/components/button'
import LiveRegion from '@cloudscape-design/components/live-region'
import { type ReactNode, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { EntityType } from '#lib/record/events/events.schema'
import { MOST_NEWS, useNewsOf } from '#lib/record/events/news.queries'
import styles from './table.module.css'
import { useIsNarrow } from './table-width'
import type { ListResult } from './use-list'

type NewsProps = {
  entity: EntityType | undefined
  list: ListResult<unknown>
  /** The text before there is news. News is then only a number, because the line is full. */
  children?: ReactNode
}

/** The changes by other users since the rows were loaded. Its space is reserved: the rows do not move until a press loads the changes. */
export function News({ entity, list: { dataUpdatedAt, refetch }, children }: NewsProps) {
  const say = useTranslations('layout.table')
  const format = useFormatter()
  const isNarrow = useIsNarrow()
  const isNumber = isNarrow || children !== undefined
  const place = useRef<HTMLSpanElement>(null)
  const count = useNewsOf(entity, dataUpdatedAt)
  if (!entity) return children
  const time = format.dateTime(new Date(dataUpdatedAt), { timeStyle: 'short' })
  const text = say('news', { count, most: count < MOST_NEWS ? '' : '+', time })
  return (
    <span
      ref={place}
      tabIndex={-1}
      className={isNumber ? styles.newsNumber : styles.news}
      title={isNumber && count > 0 ? text : undefined}
    >
      {count === 0 ? (
        children
      ) : (
        <Button
          variant="inline-link"
          iconName="refresh"
          ariaLabel={say('loadNews', { news: text })}
          onClick={() => {
            // The button goes with the news.
            place.current?.focus()
            void refetch()
          }}
        >
          {isNumber ? format.number(count) : text}
        </Button>
      )}
      <LiveRegion hidden tagName="span">
        {count > 0 && text}
      </LiveRegion>
    </span>
  )
}
