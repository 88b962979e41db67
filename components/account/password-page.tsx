import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { useFollow } from '#components/layout/app-link'
import { useFlash } from '#components/layout/flash'
import { Page } from '#components/layout/page'
import { useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import { PasswordForm } from './password-form'

export function Component() {
  const { nick, mustChangePassword } = useSession()
  const notify = useFlash()
  const follow = useFollow()
  const [isForced] = useState(mustChangePassword)
  const [isChanged, setChanged] = useState(false)
  const changed = () => {
    notify({
      type: 'success',
      content: 'Your password is changed. Everything that was signed in with the old one is signed out.',
    })
    setChanged(true)
  }
  if (isChanged) return <Navigate to={isForced ? paths.home() : paths.account()} replace />
  return (
    <Page
      title={isForced ? 'Choose your own password' : 'Change your password'}
      description="It signs you in here, and in every program that uses the API in your name."
      breadcrumbs={isForced ? [] : [{ text: 'My account', href: paths.account() }]}
      maxContentWidth={640}
    >
      <SpaceBetween size="l">
        {isForced && (
          <Alert type="info" i18nStrings={{ infoIconAriaLabel: 'Info' }}>
            Your password was set by somebody else. Choose your own to go on.
          </Alert>
        )}
        <PasswordForm
          nick={nick}
          onChanged={changed}
          cancel={
            !isForced && (
              <Button variant="link" formAction="none" href={paths.account()} onFollow={follow}>
                Cancel
              </Button>
            )
          }
        />
      </SpaceBetween>
    </Page>
  )
}
