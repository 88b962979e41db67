import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { PasswordField } from '#components/base/forms/password-field'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import { paths } from '#components/base/screens/paths'
import { useAttemptForm } from '#components/base/session/use-attempt-form'
import { useTitle } from '#components/frame/layout/title'
import { resetPassword, signInWaysQuery } from '#lib/caller/auth/session.queries'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'
import { Card, Heading, Outcome } from './card'
import { faultOfNewPassword, isSpentLink, refusalOfNewPassword } from './new-password-faults'
import { go, goInstead, usePlace } from './place'
import { BackToSignIn } from './place-link'
import { SendForm } from './send-form'

/** The target of the mailed link. */
export function NewPassword() {
  const { token } = usePlace()
  const [isSpent, setSpent] = useState(false)
  const say = useTranslations('signIn.newPassword')
  useTitle(say('tab'))
  return (
    <Card>
      <SpaceBetween size="l">
        {isSpent ? (
          <NoLink title={say('spent')}>{say('spentLead')}</NoLink>
        ) : token === '' ? (
          <NoLink title={say('noLink')}>{say('noLinkLead')}</NoLink>
        ) : (
          <SetPassword token={token} onSpent={() => setSpent(true)} />
        )}
        <BackToSignIn />
      </SpaceBetween>
    </Card>
  )
}

function NoLink({ title, children }: { title: string; children: string }) {
  const say = useTranslations('signIn.newPassword')
  return (
    <SpaceBetween size="l">
      <Outcome title={title}>{children}</Outcome>
      <Button
        variant="primary"
        fullWidth
        href={paths.forgotPassword()}
        onFollow={(event) => {
          event.preventDefault()
          go(paths.forgotPassword())
        }}
      >
        {say('askAnew')}
      </Button>
    </SpaceBetween>
  )
}

function SetPassword({ token, onSpent }: { token: string; onSpent: () => void }) {
  const say = useTranslations('signIn.newPassword')
  const { data: ways } = useQuery(signInWaysQuery)
  const least = ways?.passwordMinLength ?? PASSWORD_LENGTH.least
  const { form, field, ...attempt } = useAttemptForm({
    first: { password: '' },
    mutation: useMutation({
      mutationFn: ({ password }: { password: string }) => resetPassword({ token, password }),
      gcTime: 0,
      onSuccess: () => goInstead(paths.signIn(), { passwordSet: true }),
      onError: (error) => isSpentLink(error) && onSpent(),
    }),
    check: ({ password }) => atPassword(faultOfNewPassword(say, password, least)),
    refusalOf: (error) => atPassword(refusalOfNewPassword(say, error)),
  })
  useFieldFocus(form.ref, 'shown')
  return (
    <form {...form}>
      <SpaceBetween size="l">
        <Heading title={say('title')}>{say('lead')}</Heading>
        <PasswordField
          {...field('password')}
          label={say('field')}
          hint={say('hint', { least })}
          autoComplete="new-password"
        />
        <SendForm {...attempt} text={say('send')} loadingText={say('busy')} tooMany={say('tooMany')} />
      </SpaceBetween>
    </form>
  )
}

const atPassword = (fault: string | undefined) => (fault ? { password: fault } : {})
