import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { useScreenOf } from '#components/base/session/session'
import { linkOf } from '#lib/ground/http/view'
import type { EventDocument } from '#lib/record/events/events.schema'
import { factsOf, sentenceOf } from './sentence'

/** The sentence of an event. User and object link to the screens that the user may open. */
export function EventSentence({ event }: { event: EventDocument }) {
  const say = useTranslations('events')
  const screenOf = useScreenOf()
  const linked = (rel: string) => {
    const screen = screenOf(linkOf(event, rel))
    return (name: ReactNode) => (screen ? <AppLink to={screen}>{name}</AppLink> : <strong>{name}</strong>)
  }
  return say.rich(`sentences.${sentenceOf(event)}`, {
    ...factsOf(event, say),
    by: linked('user'),
    on: linked('entity'),
  })
}
