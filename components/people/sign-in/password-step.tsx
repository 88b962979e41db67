import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { RequestId } from '#components/base/forms/failure'
import { PasswordField } from '#components/base/forms/password-field'
import { paths } from '#components/base/screens/paths'
import { signInWaysQuery } from '#lib/caller/auth/session.queries'
import type { SignInWays } from '#lib/caller/auth/session.schema'
import { isOfUser, signInProblems, signInSteps } from '#lib/people/federation/problems'
import { Heading } from './card'
import { NickField } from './nick-field'
import { PasskeyButton } from './passkey-button'
import { addressNow, returnAddress, usePlace } from './place'
import { PlaceLink } from './place-link'
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
      <PasskeyButton attempt={attempt} text="use" />
    </SpaceBetween>
  )
}

/** The reason for the sign-in, if it is not obvious. */
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

const entrances = [
  { way: 'oidc', path: '/api/auth/oidc/login', protocol: 'OpenID Connect' },
  { way: 'saml', path: '/api/auth/saml/login', protocol: 'SAML' },
] as const

type ProviderButtonsProps = {
  ways: SignInWays
  /** A session has ended under an open screen. The provider opens in another tab, so that the screen stays. */
  beside: boolean
}

function ProviderButtons({ ways, beside }: ProviderButtonsProps) {
  const say = useTranslations('signIn.provider')
  const open = entrances.filter(({ way }) => ways[way])
  if (open.length === 0) return null
  return (
    <SpaceBetween size="s">
      {ways.password && <Box color="text-body-secondary">{say('or')}</Box>}
      {open.map(({ way, path, protocol }) => (
        <Button
          key={way}
          formAction="none"
          fullWidth
          variant={ways.password ? 'normal' : 'primary'}
          href={`${path}?${new URLSearchParams({ returnTo: returnAddress() })}`}
          {...(beside && { target: '_blank' })}
        >
          {open.length > 1 ? say('organizationBy', { protocol }) : say('organization')}
        </Button>
      ))}
      {beside && <Box color="text-body-secondary">{say('beside')}</Box>}
    </SpaceBetween>
  )
}

/** The reason why the provider's answer started no session. */
function ProviderProblem() {
  const { data: ways } = useQuery(signInWaysQuery)
  const say = useTranslations('signIn.provider')
  const sayCommon = useTranslations('common')
  const query = new URLSearchParams(window.location.search)
  const problem = query.get('problem')
  if (problem === null) return null
  const step = signInSteps.find((known) => known === query.get('step'))
  return (
    <div role="alert">
      <Alert
        type="error"
        header={say('notSignedIn')}
        action={ways?.oidc && isOfUser(problem) && <AsAnother />}
        i18nStrings={{ errorIconAriaLabel: sayCommon('errorIcon') }}
      >
        {say(`problems.${signInProblems.find((known) => known === problem) ?? 'invalid'}`)}
        {step && (
          <Box variant="small" display="block" margin={{ top: 'xxs' }} color="inherit">
            {say('step')}: {say(`steps.${step}`)}
          </Box>
        )}
        <Details request={query.get('request') ?? ''} />
      </Alert>
    </div>
  )
}

/** The request id, for the log. */
function Details({ request }: { request: string }) {
  const say = useTranslations('signIn.provider')
  if (!/^[\x21-\x7e]{1,128}$/.test(request)) return null
  return (
    <details>
      <summary>{say('details')}</summary>
      <RequestId id={request} />
    </details>
  )
}

function AsAnother() {
  const say = useTranslations('signIn.provider')
  return (
    <Button
      formAction="none"
      href={`/api/auth/oidc/login?${new URLSearchParams({ prompt: 'login', returnTo: returnAddress() })}`}
    >
      {say('somebodyElse')}
    </Button>
  )
}
