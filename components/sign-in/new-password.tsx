import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Refusal } from '#components/forms/failure'
import { PasswordField } from '#components/forms/password-field'
import { useFieldFocus } from '#components/forms/use-field-focus'
import { useTitle } from '#components/layout/title'
import { paths } from '#components/screens/paths'
import { useCountdown } from '#components/session/waiting-time'
import { resetPassword, signInWaysQuery } from '#lib/auth/session.queries'
import { PASSWORD_LENGTH } from '#lib/password-length'
import { waitAfter } from './attempt'
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
  const form = useRef<HTMLFormElement>(null)
  const { data: ways } = useQuery(signInWaysQuery)
  const least = ways?.passwordMinLength ?? PASSWORD_LENGTH.least
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<{ password: string }>()
  const [wait, beginWait] = useCountdown()
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: resetPassword,
    gcTime: 0,
    onSuccess: () => goInstead(paths.signIn(), { passwordSet: true }),
    onError: (refused) => {
      beginWait(waitAfter(refused) ?? 0)
      if (isSpentLink(refused)) onSpent()
    },
  })
  const refusal = refusalOfNewPassword(say, error)
  useFieldFocus(form, 'shown')
  useFieldFocus(form, refusal ? error : fault)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || wait > 0) return
    const found = faultOfNewPassword(say, password, least)
    setFault(found === undefined ? undefined : { password: found })
    if (found !== undefined) return reset()
    mutate({ token, password })
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      <SpaceBetween size="l">
        <Heading title={say('title')}>{say('lead')}</Heading>
        <PasswordField
          label={say('field')}
          hint={say('hint', { least })}
          error={refusal ? <Refusal error={error}>{refusal}</Refusal> : fault?.password}
          autoComplete="new-password"
          readOnly={isPending}
          value={password}
          onChange={setPassword}
        />
        <SendForm
          text={say('send')}
          loadingText={say('busy')}
          isSending={isPending}
          failure={refusal || waitAfter(error) ? null : error}
          wait={wait}
          tooMany={say('tooMany')}
        />
      </SpaceBetween>
    </form>
  )
}
