import { useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { Facts } from '#components/kit/facts'
import { Stack } from '#components/kit/layout'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import type { EventDocument } from '#lib/record/events/events.schema'
import { addressIn } from './event-columns'
import { EventSentence } from './event-sentence'
import styles from './events.module.css'
import { Moment } from './moment'
import { knownAction, nameOf } from './sentence'

/** Time, user, action and origin of an event. */
export function EventFacts({ event }: { event: EventDocument }) {
  const say = useTranslations('events')
  const sayCommon = useTranslations('common')
  const action = knownAction(event.action)
  return (
    <Stack>
      <p className={styles.headline}>
        <EventSentence event={event} />
      </p>
      <Facts
        columns={2}
        items={[
          { label: say('columns.when'), value: <Moment at={event.timestamp} exact /> },
          { label: say('columns.action'), value: action ? say(`actions.${action}`) : event.action },
          { label: say('detail.who'), value: <Who event={event} /> },
          { label: say('detail.enterprise'), value: <Enterprise event={event} /> },
          { label: say(`kinds.${event.entityType}`), value: <EventSubject event={event} /> },
          { label: say('columns.ip'), value: addressIn(say, event.ip) || sayCommon('none') },
        ]}
      />
      <Facts
        columns={1}
        items={[
          {
            label: say('columns.requestId'),
            value: <Copy inline text={event.requestId} label={say('detail.copyRequestId')} />,
          },
        ]}
      />
    </Stack>
  )
}

/** A user, enterprise or object of the event, linked to its screen. */
function Linked({ event, rel, name }: { event: EventDocument; rel: string; name: string }) {
  return <ScreenLink link={linkOf(event, rel)}>{name}</ScreenLink>
}

function Who({ event }: { event: EventDocument }) {
  const say = useTranslations('events.detail')
  const sayEvents = useTranslations('events')
  const user = idOfLink(linkOf(event, 'user'))
  if (event.userHidden) return sayEvents('somebodyHidden')
  if (event.user === undefined) return say('nobody')
  return (
    <div className={styles.links}>
      <Linked event={event} rel="user" name={event.user} />
      {user !== undefined && <AppLink to={paths.events({ user })}>{say('ofUser')}</AppLink>}
    </div>
  )
}

function Enterprise({ event }: { event: EventDocument }) {
  const none = useTranslations('common')('none')
  return <Linked event={event} rel="enterprise" name={event.enterprise ?? none} />
}

function EventSubject({ event }: { event: EventDocument }) {
  const say = useTranslations('events.detail')
  const sayEvents = useTranslations('events')
  const { action, entityType: entity, entityId: entityid } = event
  const name = nameOf(event, sayEvents)
  return (
    <div className={styles.links}>
      {action === 'delete' ? (
        <span>{say('gone', { name })}</span>
      ) : (
        <Linked event={event} rel="entity" name={name} />
      )}
      {entityid !== undefined && <AppLink to={paths.events({ entity, entityid })}>{say('ofThing')}</AppLink>}
    </div>
  )
}
