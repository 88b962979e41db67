import Alert from '@cloudscape-design/components/alert'
import { useTranslations } from 'use-intl'
import { access } from '#components/screens/access'

/** In place of a list of events that the user may not see. */
export function EventsClosed() {
  const say = useTranslations('events.closed')
  const role = useTranslations('roles.privileges')
  return (
    <Alert type="info" header={say('title')}>
      {say('hint')}
      <ul>
        {access.events.map((privilege) => (
          <li key={privilege}>
            {role(privilege)} <code>{privilege}</code>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
