import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { PasswordField } from '#components/forms/password-field'
import { paths } from '#components/screens/paths'
import { signInWaysQuery } from '#lib/auth/session.queries'
import { Heading } from './card'
import { NickField } from './nick-field'
import { addressNow, usePlace } from './place'
import { PlaceLink } from './place-link'
import { ProviderButtons } from './provider-buttons'
import { ProviderProblem } from './provider-problem'
import { SendForm } from './send-form'
import type { Attempt } from './use-sign-in'

export function PasswordStep({ attempt, ended }: { attempt: Attempt; ended: boolean }) {
  const { data: ways } = useQuery(signInWaysQuery)
  const say = useTranslations('signIn')
  return (
    <SpaceBetween size="l">
      <Heading title={say('title')} />
      <Arrival ended={ended} />
      <ProviderProblem />
      {ways?.password !== false && <NickAndPassword attempt={attempt} offersReset={ways?.passwordReset} />}
      {ways && <ProviderButtons ways={ways} beside={ended} />}
    </SpaceBetween>
  )
}

function NickAndPassword({ attempt, offersReset }: { attempt: Attempt; offersReset: boolean | undefined }) {
  const { fields, faults, change, isSending } = attempt
  const say = useTranslations('signIn')
  return (
    <SpaceBetween size="l">
      <NickField
        error={faults.nick}
        readOnly={isSending}
        value={fields.nick}
        onChange={(nick) => change('nick', nick)}
      />
      <PasswordField
        label={say('password')}
        error={faults.password}
        autoComplete="current-password"
        readOnly={isSending}
        value={fields.password}
        onChange={(value) => change('password', value)}
      >
        {offersReset && (
          <PlaceLink to={paths.forgotPassword()} handing={{ nick: fields.nick, from: addressNow() }}>
            {say('forgot.link')}
          </PlaceLink>
        )}
      </PasswordField>
      <SendForm {...attempt} text={say('title')} loadingText={say('busy')} tooMany={say('tooManyFailures')} />
    </SpaceBetween>
  )
}

/** The reason why the sign-in is shown, where it is not obvious. */
function Arrival({ ended }: { ended: boolean }) {
  const { handed } = usePlace()
  const say = useTranslations('signIn')
  const sayCommon = useTranslations('common')
  if (ended) {
    return (
      <Alert type="info" i18nStrings={{ infoIconAriaLabel: sayCommon('infoIcon') }}>
        {say('ended')}
      </Alert>
    )
  }
  return (
    handed.passwordSet && (
      <div role="status">
        <Alert type="success" i18nStrings={{ successIconAriaLabel: sayCommon('successIcon') }}>
          {say('passwordIsSet')}
        </Alert>
      </div>
    )
  )
}
