import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { Failure } from '#components/layout/failure'
import styles from './sign-in.module.css'
import type { Attempt } from './use-sign-in'

const errorIcon = { errorIconAriaLabel: 'Error' }

export function PasswordStep({ attempt, ended }: { attempt: Attempt; ended: boolean }) {
  const { fields, faults, change, isSending } = attempt
  const [isShown, setShown] = useState(false)
  return (
    <SpaceBetween size="l">
      <h1 className={styles.title}>Sign in</h1>
      {ended && (
        <Alert type="info" i18nStrings={{ infoIconAriaLabel: 'Info' }}>
          Your session has ended. Sign in again and go on where you were.
        </Alert>
      )}
      <FormField label="Nick" errorText={faults.nick} i18nStrings={errorIcon}>
        <Input
          name="nick"
          autoComplete="username"
          autoFocus={fields.nick === ''}
          disableBrowserAutocorrect
          spellcheck={false}
          readOnly={isSending}
          value={fields.nick}
          onChange={({ detail }) => change('nick', detail.value)}
        />
      </FormField>
      <SpaceBetween size="xs">
        <FormField label="Password" errorText={faults.password} i18nStrings={errorIcon}>
          <Input
            name="password"
            type={isShown ? 'text' : 'password'}
            autoComplete="current-password"
            autoFocus={fields.nick !== ''}
            spellcheck={false}
            readOnly={isSending}
            value={fields.password}
            onChange={({ detail }) => change('password', detail.value)}
          />
        </FormField>
        <Checkbox checked={isShown} onChange={({ detail }) => setShown(detail.checked)}>
          Show the password
        </Checkbox>
      </SpaceBetween>
      <Send attempt={attempt} text="Sign in" />
    </SpaceBetween>
  )
}

export function CodeStep({ attempt }: { attempt: Attempt }) {
  const { fields, faults, change, isSending } = attempt
  return (
    <SpaceBetween size="l">
      <div>
        <h1 className={styles.title}>Verification code</h1>
        <p className={styles.lead}>
          The password is right. One more step for <strong>{fields.nick}</strong>.
        </p>
      </div>
      <FormField
        label="Code"
        description="The 6 digits that your authenticator app shows now."
        constraintText="No phone at hand? One of your 8-digit scratch codes does as well, once."
        errorText={faults.code}
        i18nStrings={errorIcon}
      >
        <Input
          name="code"
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          disableBrowserAutocorrect
          spellcheck={false}
          readOnly={isSending}
          value={fields.code}
          onChange={({ detail }) => change('code', detail.value)}
        />
      </FormField>
      <Send attempt={attempt} text="Verify" />
      <div className={styles.back}>
        <Button variant="inline-link" formAction="none" disabled={isSending} onClick={attempt.startOver}>
          Sign in as somebody else
        </Button>
      </div>
    </SpaceBetween>
  )
}

const Send = ({ attempt: { failure, isSending, wait }, text }: { attempt: Attempt; text: string }) => (
  <SpaceBetween size="m">
    {failure !== null && <Failure error={failure} />}
    {wait > 0 && (
      <Alert type="warning" i18nStrings={{ warningIconAriaLabel: 'Warning' }}>
        Too many failed attempts from here. Try again in <span aria-live="off">{inWords(wait)}</span>.
      </Alert>
    )}
    <Button variant="primary" fullWidth loading={isSending} loadingText="Signing in" disabled={wait > 0}>
      {failure === null ? text : 'Try again'}
    </Button>
  </SpaceBetween>
)

const inWords = (seconds: number): string =>
  seconds < 60
    ? `${seconds} second${seconds === 1 ? '' : 's'}`
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes`
