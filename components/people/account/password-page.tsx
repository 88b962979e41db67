import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/base/forms/buttons'
import { Failure } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { PasswordField } from '#components/base/forms/password-field'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { forgetTypedPassword, typedPassword } from '#components/base/session/signed-in-with'
import { TooMany } from '#components/base/session/too-many'
import { useAttemptForm } from '#components/base/session/use-attempt-form'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { changeOwnPassword } from '#lib/caller/auth/own-account.queries'
import { faultsOf, lengthHint, refusalOf } from './password-draft'

export function Component() {
  const { nick, mustChangePassword } = useSession()
  const say = useTranslations('account')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
  const [isForced] = useState(mustChangePassword)
  const [isChanged, setChanged] = useState(false)
  const changed = () => {
    notify(say('password.changed'))
    setChanged(true)
  }
  if (isChanged) return <Navigate to={isForced ? paths.home() : paths.account()} replace />
  return (
    <Page
      title={say(isForced ? 'password.forcedTitle' : 'password.title')}
      description={isForced ? undefined : say('password.about')}
      breadcrumbs={isForced ? [] : [{ text: say('title'), href: paths.account() }]}
      maxContentWidth={640}
    >
      <Stack gap="l">
        {isForced && <Notice>{say('password.forced')}</Notice>}
        <PasswordForm
          nick={nick}
          onChanged={changed}
          cancel={
            !isForced && (
              <AppButton look="quiet" to={paths.account()}>
                {sayCommon('cancel')}
              </AppButton>
            )
          }
        />
      </Stack>
    </Page>
  )
}

type PasswordFormProps = {
  nick: string
  onChanged: () => void
  /** The button that cancels, if the user may cancel. */
  cancel?: ReactNode
}

function PasswordForm({ nick, onChanged, cancel }: PasswordFormProps) {
  const say = useTranslations('account.password')
  const words = { say, sayNew: useTranslations('signIn.newPassword') }
  const { passwordMinLength: least } = useSession()
  // Typed at the sign-in, a moment ago.
  const [known, setKnown] = useState(() => typedPassword(nick))
  const { form, field, draft, failure, isSending, wait } = useAttemptForm({
    first: { oldPassword: known ?? '', password: '' },
    mutation: useMutation({
      ...changeOwnPassword(),
      onError: (error) => refusalOf(words, error).oldPassword !== undefined && setKnown(undefined),
    }),
    check: (typed) => faultsOf(words, typed, { nick, least }),
    refusalOf: (error) => refusalOf(words, error),
    onDone: () => {
      forgetTypedPassword()
      onChanged()
    },
  })
  const next = field('password')
  return (
    <form {...form}>
      <Stack gap="l">
        <Card>
          <Stack gap="l">
            {known === undefined && (
              <TextField
                {...field('oldPassword')}
                label={say('now')}
                name="oldPassword"
                type="password"
                autoComplete="current-password"
              />
            )}
            <PasswordField
              {...next}
              label={say('next')}
              hint={next.error ? say('hint', { least }) : lengthHint(say, draft.password, least)}
              autoComplete="new-password"
            />
          </Stack>
        </Card>
        {failure && <Failure error={failure} />}
        {wait > 0 && <TooMany wait={wait} of="password" />}
        <Buttons>
          {cancel}
          <Button look="main" disabled={wait > 0} busy={isSending} busyText={say('changing')} type="submit">
            {say('change')}
          </Button>
        </Buttons>
      </Stack>
      {/* Names the account of the password for a password manager. */}
      <input name="username" autoComplete="username" value={nick} readOnly hidden />
    </form>
  )
}
