import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, type SubmitEvent, useRef, useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/forms/buttons'
import { Failure, Refusal } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { PasswordField } from '#components/forms/password-field'
import { TextField } from '#components/forms/text-field'
import { useFieldFocus } from '#components/forms/use-field-focus'
import { Page } from '#components/layout/page'
import { AppButton } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'
import { isTooMany, TooMany, useWait } from '#components/session/waiting-time'
import { changeOwnPassword } from '#lib/auth/own-account.queries'
import { faultsOf, lengthHint, type PasswordDraft, type PasswordFaults, refusalOf } from './password-draft'

export function Component() {
  const { nick, mustChangePassword } = useSession()
  const say = useTranslations('account')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
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
              <AppButton variant="link" formAction="none" to={paths.account()}>
                {sayCommon('cancel')}
              </AppButton>
            )
          }
        />
      </SpaceBetween>
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
  const { passwordMinLength: least } = useSession()
  const { form, draft, faults, refusal, failure, isSending, wait, change, submit } = usePasswordForm(
    { nick, least },
    onChanged,
  )
  const faultText = (fault: string | undefined) =>
    fault && refusal ? <Refusal error={refusal}>{fault}</Refusal> : fault
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <SpaceBetween size="l">
        <Container>
          <SpaceBetween size="l">
            <TextField
              label={say('now')}
              error={faultText(faults.oldPassword)}
              stretch={false}
              name="oldPassword"
              type="password"
              autoComplete="current-password"
              readOnly={isSending}
              value={draft.oldPassword}
              onChange={(value) => change('oldPassword', value)}
            />
            <PasswordField
              label={say('next')}
              hint={lengthHint(say, draft.password, least)}
              error={faultText(faults.password)}
              autoComplete="new-password"
              readOnly={isSending}
              value={draft.password}
              onChange={(value) => change('password', value)}
            />
          </SpaceBetween>
        </Container>
        {failure && <Failure error={failure} />}
        {wait > 0 && <TooMany wait={wait} of="password" />}
        <Buttons>
          {cancel}
          <Button variant="primary" loading={isSending} loadingText={say('changing')} disabled={wait > 0}>
            {say('change')}
          </Button>
        </Buttons>
      </SpaceBetween>
      {/* Tells a password manager whose password it is. */}
      <input name="username" autoComplete="username" value={nick} readOnly hidden />
    </form>
  )
}

type PasswordForm = {
  form: RefObject<HTMLFormElement | null>
  draft: PasswordDraft
  faults: PasswordFaults
  /** The server's refusal, if `faults` explain it. */
  refusal: Error | null
  /** A failure that belongs to no field. */
  failure: Error | null
  isSending: boolean
  /** Seconds until another attempt is allowed; 0 if now. */
  wait: number
  change: (field: keyof PasswordDraft, value: string) => void
  submit: (event: SubmitEvent) => void
}

const isAtField = (faults: PasswordFaults): boolean => Object.keys(faults).length > 0

/** The state of the form for a new password, with the faults by field. */
function usePasswordForm(owner: { nick: string; least: number }, onChanged: () => void): PasswordForm {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<PasswordDraft>({ oldPassword: '', password: '' })
  const [faults, setFaults] = useState<PasswordFaults>()
  const words = { say: useTranslations('account.password'), sayNew: useTranslations('signIn.newPassword') }
  const sending = useMutation(changeOwnPassword())
  const wait = useWait(sending)
  useFieldFocus(form, faults)

  const refuse = (found: PasswordFaults) => setFaults(isAtField(found) ? found : undefined)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (sending.isPending || wait > 0) return
    const found = faultsOf(words, draft, owner)
    refuse(found)
    if (isAtField(found)) return sending.reset()
    sending.mutate(draft, { onSuccess: onChanged, onError: (error) => refuse(refusalOf(words, error)) })
  }
  return {
    form,
    draft,
    faults: faults ?? {},
    refusal: sending.error,
    failure: isTooMany(sending.error) || isAtField(refusalOf(words, sending.error)) ? null : sending.error,
    isSending: sending.isPending,
    wait,
    change: (field, value) => setDraft((now) => ({ ...now, [field]: value })),
    submit,
  }
}
