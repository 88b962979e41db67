import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/layout/app-link'
import { useScreenOf } from '#components/screen-of'
import type { EventDocument } from '#lib/events/events.schema'
import { linkOf } from '#lib/http/view'
import { knownAction, sentenceOf } from './told'

/** Who did what to what; both lead to their screens, where there are some that the user may open. */
export function EventSentence({ event }: { event: EventDocument }) {
  const say = useTranslations('events')
  const screenOf = useScreenOf()
  const linked = (rel: string) => {
    const screen = screenOf(linkOf(event, rel))
    return (name: ReactNode) =>
      screen ? (
        <AppLink to={screen} variant="primary" fontSize="inherit">
          {name}
        </AppLink>
      ) : (
        <strong>{name}</strong>
      )
  }
  const known = knownAction(event.action)
  return say.rich(`told.${sentenceOf(event)}`, {
    user: event.user ?? say(event.userHidden ? 'somebodyHidden' : 'somebody'),
    name: event.entityName,
    count: Number(event.changes.count?.after ?? 1),
    action: known ? say(`actions.${known}`) : event.action,
    by: linked('user'),
    on: linked('entity'),
  })
}
