import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
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
    <SpaceBetween size="m">
      <p className={styles.headline}>
        <EventSentence event={event} />
      </p>
      <KeyValuePairs
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
      <KeyValuePairs
        columns={1}
        items={[
          {
            label: say('columns.requestId'),
            value: (
              <CopyToClipboard
                variant="inline"
                textToCopy={event.requestId}
                copyButtonAriaLabel={say('detail.copyRequestId')}
                copySuccessText={sayCommon('copied')}
                copyErrorText={say('detail.notCopied')}
              />
            ),
          },
        ]}
      />
    </SpaceBetween>
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
