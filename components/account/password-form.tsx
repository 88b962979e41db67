import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/forms/buttons'
import { Failure, Refusal } from '#components/forms/failure'
import { PasswordField } from '#components/forms/password-field'
import { useSession } from '#components/session/session'
import { TooMany } from '#components/session/too-many'
import { lengthHint } from './password-draft'
import { usePasswordForm } from './use-password-form'

type PasswordFormProps = {
  nick: string
  onChanged: () => void
  /** What leads away without a change, where one may. */
  cancel?: ReactNode
}

/** The old password and a new one. */
export function PasswordForm({ nick, onChanged, cancel }: PasswordFormProps) {
  const say = useTranslations('account.password')
  const { passwordMinLength: least } = useSession()
  const { form, draft, faults, refusal, failure, isSending, wait, change, submit } = usePasswordForm(
    { nick, least },
    onChanged,
  )
  const told = (fault: string | undefined) =>
    fault && refusal ? <Refusal error={refusal}>{fault}</Refusal> : fault
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <SpaceBetween size="l">
        <Container>
          <SpaceBetween size="l">
            <FormField label={say('now')} errorText={told(faults.oldPassword)}>
              <Input
                name="oldPassword"
                type="password"
                autoComplete="current-password"
                readOnly={isSending}
                value={draft.oldPassword}
                onChange={({ detail }) => change('oldPassword', detail.value)}
              />
            </FormField>
            <PasswordField
              label={say('next')}
              hint={lengthHint(say, draft.password, least)}
              fault={told(faults.password)}
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
      {/* A password manager learns whose password it is. */}
      <input name="username" autoComplete="username" value={nick} readOnly hidden />
    </form>
  )
}
