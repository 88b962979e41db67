import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { PasswordField } from '#components/layout/password-field'
import { paths } from '#components/paths'
import { signInWaysQuery } from '#lib/auth/session.queries'
import { Heading } from './card'
import { addressNow, usePlace } from './place'
import { PlaceLink } from './place-link'
import { ProviderButtons } from './provider-buttons'
import { ProviderProblem } from './provider-problem'
import { SendForm } from './send-form'
import type { Attempt } from './use-sign-in'

export function PasswordStep({ attempt, ended }: { attempt: Attempt; ended: boolean }) {
  const { data: ways } = useQuery(signInWaysQuery)
  return (
    <SpaceBetween size="l">
      <Heading title="Sign in" />
      <Arrival ended={ended} />
      <ProviderProblem />
      {ways?.password !== false && <NickAndPassword attempt={attempt} offersReset={ways?.passwordReset} />}
      {ways && <ProviderButtons ways={ways} beside={ended} />}
    </SpaceBetween>
  )
}

function NickAndPassword({ attempt, offersReset }: { attempt: Attempt; offersReset: boolean | undefined }) {
  const { fields, faults, change, isSending } = attempt
  return (
    <SpaceBetween size="l">
      <FormField label="Nick" errorText={faults.nick} i18nStrings={{ errorIconAriaLabel: 'Error' }}>
        <Input
          name="nick"
          autoComplete="username"
          disableBrowserAutocorrect
          spellcheck={false}
          readOnly={isSending}
          value={fields.nick}
          onChange={({ detail }) => change('nick', detail.value)}
        />
      </FormField>
      <PasswordField
        label="Password"
        fault={faults.password}
        autoComplete="current-password"
        readOnly={isSending}
        value={fields.password}
        onChange={(value) => change('password', value)}
      >
        {offersReset && (
          <PlaceLink to={paths.forgotPassword()} handing={{ nick: fields.nick, from: addressNow() }}>
            Forgot your password?
          </PlaceLink>
        )}
      </PasswordField>
      <SendForm
        {...attempt}
        text="Sign in"
        loadingText="Signing in"
        tooMany="Too many failed attempts from here."
      />
    </SpaceBetween>
  )
}

/** Why the sign-in is shown, where the user may wonder. */
function Arrival({ ended }: { ended: boolean }) {
  const { handed } = usePlace()
  if (ended) {
    return (
      <Alert type="info" i18nStrings={{ infoIconAriaLabel: 'Info' }}>
        Your session has ended. Sign in again and go on where you were.
      </Alert>
    )
  }
  return (
    handed.passwordSet && (
      <div role="status">
        <Alert type="success" i18nStrings={{ successIconAriaLabel: 'Success' }}>
          Your new password is set. Sign in with it.
        </Alert>
      </div>
    )
  )
}
