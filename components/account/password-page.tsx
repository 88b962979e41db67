import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { Page } from '#components/layout/page'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'
import { PasswordForm } from './password-form'

export function Component() {
  const { nick, mustChangePassword } = useSession()
  const say = useTranslations('account')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
  const follow = useFollow()
  const [isForced] = useState(mustChangePassword)
  const [isChanged, setChanged] = useState(false)
  const changed = () => {
    notify({ type: 'success', content: say('password.changed') })
    setChanged(true)
  }
  if (isChanged) return <Navigate to={isForced ? paths.home() : paths.account()} replace />
  return (
    <Page
      title={say(isForced ? 'password.forcedTitle' : 'password.title')}
      description={say('password.about')}
      breadcrumbs={isForced ? [] : [{ text: say('title'), href: paths.account() }]}
      maxContentWidth={640}
    >
      <SpaceBetween size="l">
        {isForced && <Alert type="info">{say('password.forced')}</Alert>}
        <PasswordForm
          nick={nick}
          onChanged={changed}
          cancel={
            !isForced && (
              <Button variant="link" formAction="none" href={paths.account()} onFollow={follow}>
                {sayCommon('cancel')}
              </Button>
            )
          }
        />
      </SpaceBetween>
    </Page>
  )
}
