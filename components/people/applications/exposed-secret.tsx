import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Button } from '#components/kit/button'
import { Notice } from '#components/kit/notice'
import type { ApplicationDocument } from '#lib/people/applications/applications.schema'

/** Asks the owner to renew a secret that an earlier version wrote into the events. */
export function ExposedSecret({ onRenew }: { onRenew: () => void }) {
  const say = useTranslations('applications.exposed')
  const label = useTranslations('labels')
  return (
    <Notice
      kind="warn"
      title={say('title')}
      action={<Button onPress={onRenew}>{label('generateSecret')}</Button>}
    >
      {say('text')}
    </Notice>
  )
}

/** The same above the list, with a link to each affected application. */
export function ExposedSecrets({ applications }: { applications: readonly ApplicationDocument[] }) {
  const say = useTranslations('applications.exposed')
  const affected = applications.filter(({ secretExposed }) => secretExposed)
  if (affected.length === 0) return null
  return (
    <Notice kind="warn" title={say('titleOfMany', { count: affected.length })}>
      {say('textOfMany')}
      <ul>
        {affected.map(({ id, name }) => (
          <li key={id}>
            <AppLink to={paths.application(id)}>{name}</AppLink>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
