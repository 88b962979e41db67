import { useFormatter, useTranslations } from 'use-intl'
import { Button } from '#components/kit/button'
import { Notice } from '#components/kit/notice'
import type { Tagged } from '#lib/client/resources.queries'
import { useLastChangeOf } from '#lib/record/events/news.queries'

/** Another user has saved the resource since the form was opened. */
export type Newer = { current: Tagged<unknown>; compare: () => void }

/** Reports at once that another user has changed the edited resource, and offers a comparison before the save. */
export function NewerNotice({ newer: { current, compare } }: { newer: Newer }) {
  const say = useTranslations('forms.newer')
  const format = useFormatter()
  const event = useLastChangeOf(current.document, current.etag)
  const time = event && format.dateTime(new Date(event.timestamp), { timeStyle: 'short' })
  return (
    <div role="status">
      <Notice
        title={event?.user ? say('by', { user: event.user, time: time ?? '' }) : say('somebody')}
        action={<Button onPress={compare}>{say('compare')}</Button>}
      >
        {say('about')}
      </Notice>
    </div>
  )
}
