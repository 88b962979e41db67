import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import type { ApplicationDocument } from '#lib/people/applications/applications.schema'

/** Asks the owner to renew a secret that an earlier version wrote into the events. */
export function ExposedSecret({ onRenew }: { onRenew: () => void }) {
  const say = useTranslations('applications.exposed')
  const label = useTranslations('labels')
  return (
    <Alert
      type="warning"
      header={say('title')}
      action={<Button onClick={onRenew}>{label('generateSecret')}</Button>}
    >
      {say('text')}
    </Alert>
  )
}

/** The same above the list, with a link to each affected application. */
export function ExposedSecrets({ applications }: { applications: readonly ApplicationDocument[] }) {
  const say = useTranslations('applications.exposed')
  const affected = applications.filter(({ secretExposed }) => secretExposed)
  if (affected.length === 0) return null
  return (
    <Alert type="warning" header={say('titleOfMany', { count: affected.length })}>
      {say('textOfMany')}
      <ul>
        {affected.map(({ id, name }) => (
          <li key={id}>
            <AppLink to={paths.application(id)}>{name}</AppLink>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
