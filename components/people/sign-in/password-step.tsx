import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { RequestLine } from '#components/base/forms/failure-notice'
import { paths } from '#components/base/screens/paths'
import { LinkButton } from '#components/kit/button'
import { PasswordField } from '#components/kit/field'
import { Notice } from '#components/kit/notice'
import { signInWaysQuery } from '#lib/caller/auth/session.queries'
import type { SignInWays } from '#lib/caller/auth/session.schema'
import { isOfUser, signInProblems, signInSteps } from '#lib/people/federation/problems'
import { Heading } from './heading'
import { NickField } from './nick-field'
import { PasskeyButton } from './passkey-button'
import { addressNow, returnAddress, usePlace } from './place'
import { PlaceLink } from './place-link'
import { SendForm } from './send-form'
import styles from './sign-in.module.css'
import type { Attempt } from './use-sign-in'

export function PasswordStep({ attempt, ended }: { attempt: Attempt; ended: boolean }) {
  const { data: ways } = useQuery(signInWaysQuery)
  const say = useTranslations('signIn')
  return (
    <>
      <Heading title={say('title')} />
      <Arrival ended={ended} />
      <ProviderProblem />
      {ways?.password !== false && <NickAndPassword attempt={attempt} offersReset={ways?.passwordReset} />}
      {ways && <ProviderButtons ways={ways} beside={ended} />}
    </>
  )
}

function NickAndPassword({ attempt, offersReset }: { attempt: Attempt; offersReset: boolean | undefined }) {
  const { fields, faults, change, isSending } = attempt
  const say = useTranslations('signIn')
  const sayCommon = useTranslations('common')
  return (
    <>
      <NickField
        error={faults.nick}
        readOnly={isSending}
        value={fields.nick}
        onChange={(nick) => change('nick', nick)}
      />
      <PasswordField
        large
        name="password"
        label={say('password')}
        show={sayCommon('showPassword')}
        error={faults.password}
        autoComplete="current-password"
        readOnly={isSending}
        value={fields.password}
        onChange={(value) => change('password', value)}
        beside={
          offersReset && (
            <PlaceLink to={paths.forgotPassword()} handing={{ nick: fields.nick, from: addressNow() }}>
              {say('forgot.link')}
            </PlaceLink>
          )
        }
      />
      <SendForm {...attempt} text={say('title')} loadingText={say('busy')} tooMany={say('tooManyFailures')} />
      <PasskeyButton attempt={attempt} text="use" />
    </>
  )
}

/** The reason for the sign-in, if it is not obvious. */
function Arrival({ ended }: { ended: boolean }) {
  const { handed } = usePlace()
  const say = useTranslations('signIn')
  if (ended) return <Notice>{say('ended')}</Notice>
  return (
    handed.passwordSet && (
      <Notice kind="good" role="status">
        {say('passwordIsSet')}
      </Notice>
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
    <>
      {ways.password && <p className={styles.or}>{say('or')}</p>}
      {open.map(({ way, path, protocol }) => (
        <LinkButton
          key={way}
          wide
          look={ways.password ? 'plain' : 'main'}
          href={`${path}?${new URLSearchParams({ returnTo: returnAddress() })}`}
          target={beside ? '_blank' : undefined}
        >
          {open.length > 1 ? say('organizationBy', { protocol }) : say('organization')}
        </LinkButton>
      ))}
      {beside && <p className={styles.or}>{say('beside')}</p>}
    </>
  )
}

/** The reason why the provider's answer started no session. */
function ProviderProblem() {
  const { data: ways } = useQuery(signInWaysQuery)
  const say = useTranslations('signIn.provider')
  const query = new URLSearchParams(window.location.search)
  const problem = query.get('problem')
  if (problem === null) return null
  const step = signInSteps.find((known) => known === query.get('step'))
  return (
    <Notice kind="bad" role="alert" title={say('notSignedIn')}>
      {say(`problems.${signInProblems.find((known) => known === problem) ?? 'invalid'}`)}
      {step && (
        <small>
          {say('step')}: {say(`steps.${step}`)}
        </small>
      )}
      <Details request={query.get('request') ?? ''} />
      {ways?.oidc && isOfUser(problem) && <AsAnother />}
    </Notice>
  )
}

/** The request id, for the log. */
function Details({ request }: { request: string }) {
  const say = useTranslations('signIn.provider')
  if (!/^[\x21-\x7e]{1,128}$/.test(request)) return null
  return (
    <details>
      <summary>{say('details')}</summary>
      <RequestLine id={request} />
    </details>
  )
}

function AsAnother() {
  const say = useTranslations('signIn.provider')
  return (
    <LinkButton
      href={`/api/auth/oidc/login?${new URLSearchParams({ prompt: 'login', returnTo: returnAddress() })}`}
    >
      {say('somebodyElse')}
    </LinkButton>
  )
}
