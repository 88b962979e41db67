import { useFormatter, useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import type { Fact } from '#components/kit/facts'
import { Status } from '#components/kit/status'
import type { SignInMechanisms } from '#lib/people/federation/mechanisms.schema'
import type { Say } from '#lib/words/words'

/* The facts shown about each mechanism. */

type SaySettings = Say<'settings'>
type Facts = Fact[]

function Address({ text, label }: { text: string; label: string }) {
  const say = useTranslations('settings')
  return <Copy inline text={text} label={say('copy', { label })} />
}

const address = (label: string, text: string) => ({ label, value: <Address text={text} label={label} /> })

export function OnOff({ on }: { on: boolean }) {
  const say = useTranslations('settings')
  return <Status kind={on ? 'good' : 'off'}>{say(on ? 'on' : 'off')}</Status>
}

type Mapping = Pick<NonNullable<SignInMechanisms['oidc']>, 'createUsers' | 'linkExisting'>

const mappingFacts = (say: SaySettings, { createUsers, linkExisting }: Mapping): Facts => [
  { label: say('newUsers.label'), value: say(createUsers ? 'newUsers.created' : 'newUsers.refused') },
  {
    label: say('linkExisting.label'),
    value: say(linkExisting ? 'linkExisting.linked' : 'linkExisting.refused'),
  },
]

export const passwordFacts = (say: SaySettings, { password: { on, tries } }: SignInMechanisms): Facts => [
  { label: say('password.console'), value: <OnOff on={on} /> },
  { label: say('password.basic'), value: <OnOff on={on} /> },
  {
    label: say('password.tries'),
    value: tries > 0 ? say('password.lockAfter', { tries }) : say('password.lockNever'),
  },
]

function Length({ seconds }: { seconds: number }) {
  return lengthOf(useFormatter(), seconds)
}

export const sessionFacts = (say: SaySettings, { sessions }: SignInMechanisms): Facts => [
  { label: say('sessions.idle'), value: <Length seconds={sessions.idleSeconds} /> },
  { label: say('sessions.most'), value: <Length seconds={sessions.maxSeconds} /> },
  { label: say('sessions.token'), value: <Length seconds={sessions.tokenSeconds} /> },
]

export const twoFactorFacts = (say: SaySettings, { twoFactor, mail }: SignInMechanisms): Facts => [
  {
    label: say('twoFactor.offered'),
    value: twoFactor.providers.map((name) => say(`twoFactor.providers.${name}`)).join(', '),
  },
  {
    label: say('twoFactor.reset'),
    value: say('twoFactor.approvals', { count: twoFactor.resetApprovals }),
  },
  { label: say('twoFactor.mailServer'), value: mail?.server ?? say('twoFactor.noMail') },
  ...(mail ? [{ label: say('twoFactor.mailFrom'), value: mail.from }] : []),
]

export const oauthFacts = (say: SaySettings, { oauth }: SignInMechanisms): Facts => [
  address(say('oauth.requestToken'), oauth.requestToken),
  address(say('oauth.authorize'), oauth.authorize),
  address(say('oauth.accessToken'), oauth.accessToken),
]

export const oidcFacts = (say: SaySettings, oidc: NonNullable<SignInMechanisms['oidc']>): Facts => [
  address(say('oidc.issuer'), oidc.issuer),
  { label: say('oidc.clientId'), value: oidc.clientId },
  { label: say('oidc.clientAuth'), value: say(`oidc.clientAuths.${oidc.clientAuth ?? 'offered'}`) },
  { label: say('oidc.scopes'), value: oidc.scopes },
  address(say('oidc.callback'), oidc.callback),
  address(say('oidc.afterSignOut'), oidc.afterSignOut),
  { label: say('oidc.audience'), value: oidc.audience ?? oidc.clientId },
  { label: say('oidc.nick'), value: oidc.userClaim },
  { label: say('oidc.role'), value: oidc.roleClaim },
  { label: say('oidc.enterprise'), value: oidc.enterpriseClaim },
  ...mappingFacts(say, oidc),
]

export const samlFacts = (say: SaySettings, saml: NonNullable<SignInMechanisms['saml']>): Facts => [
  saml.providerMetadata !== undefined
    ? address(say('saml.providerMetadata'), saml.providerMetadata)
    : address(say('saml.entryPoint'), saml.entryPoint ?? ''),
  address(say('saml.entityId'), saml.entityId),
  address(say('saml.metadata'), saml.metadata),
  address(say('saml.acs'), saml.acs),
  address(say('saml.logout'), saml.logout),
  { label: say('saml.signed'), value: say(`saml.signedParts.${saml.signed}`) },
  { label: say('saml.nick'), value: saml.nickAttribute ?? say('saml.nameId') },
  { label: say('saml.name'), value: saml.nameAttribute ?? say('saml.notRead') },
  { label: say('saml.email'), value: saml.emailAttribute ?? say('saml.notRead') },
  { label: say('saml.role'), value: saml.roleAttribute ?? say('saml.notRead') },
  { label: say('saml.enterprise'), value: saml.enterpriseAttribute ?? say('saml.notRead') },
  ...mappingFacts(say, saml),
  { label: say('saml.password'), value: <OnOff on={saml.allowsPassword} /> },
]

type Format = Pick<ReturnType<typeof useFormatter>, 'number' | 'list'>

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `1 hour, 30 minutes`. */
export function lengthOf(format: Format, seconds: number): string {
  let left = seconds
  const parts: string[] = []
  for (const [unit, length] of units) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0 || (unit === 'second' && parts.length === 0))
      parts.push(format.number(count, { style: 'unit', unit, unitDisplay: 'long' }))
  }
  return format.list(parts, { type: 'unit' })
}
