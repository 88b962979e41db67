import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import type { KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import type { SignInMechanisms } from '#lib/federation/mechanisms.schema'
import { lengthOf } from './words'

/* What is said of each mechanism. */

type Facts = KeyValuePairsProps.Item[]

const Address = ({ text, what }: { text: string; what: string }) => (
  <CopyToClipboard
    variant="inline"
    textToCopy={text}
    copyButtonAriaLabel={`Copy the ${what}`}
    copySuccessText="Copied"
    copyErrorText="The browser does not allow copying here. Select the text and copy it by hand."
  />
)

const address = (label: string, text: string) => ({
  label,
  value: <Address text={text} what={label.toLowerCase()} />,
})

export const OnOff = ({ on }: { on: boolean }) => (
  <StatusIndicator type={on ? 'success' : 'stopped'}>{on ? 'On' : 'Off'}</StatusIndicator>
)

const newUsers = (createUsers: boolean) => ({
  label: 'Whom nobody knows here',
  value: createUsers ? 'Becomes a user, of the role and enterprise that the provider names' : 'Is not let in',
})

export const passwordFacts = ({ password }: SignInMechanisms): Facts => [
  { label: 'In the console', value: <OnOff on={password.on} /> },
  { label: 'HTTP Basic', value: <OnOff on={password.on} /> },
  {
    label: 'Wrong passwords in a row',
    value: password.tries > 0 ? `The user is locked after ${password.tries}` : 'Never lock a user',
  },
]

export const sessionFacts = ({ sessions }: SignInMechanisms): Facts => [
  { label: 'A session left alone ends after', value: lengthOf(sessions.idleSeconds) },
  { label: 'A session lasts at most', value: lengthOf(sessions.maxSeconds) },
  { label: 'A token of a program lasts', value: lengthOf(sessions.tokenSeconds) },
]

const providerNames: Record<TwoFactorProvider, string> = {
  APP_AUTHENTICATOR: 'Authenticator app',
  EMAIL: 'Code by e-mail',
}

export const twoFactorFacts = ({ twoFactor, mail }: SignInMechanisms): Facts => [
  { label: 'Offered', value: twoFactor.providers.map((name) => providerNames[name]).join(', ') },
  {
    label: 'To turn off somebody’s second factor',
    value:
      twoFactor.resetApprovals === 1 ? 'One administrator' : `${twoFactor.resetApprovals} administrators`,
  },
  { label: 'Mail server', value: mail?.server ?? 'None: no mail is sent' },
  ...(mail ? [{ label: 'Mail comes from', value: mail.from }] : []),
]

export const oauthFacts = ({ oauth }: SignInMechanisms): Facts => [
  address('Request token', oauth.requestToken),
  address('Authorize', oauth.authorize),
  address('Access token', oauth.accessToken),
]

export const oidcFacts = (oidc: NonNullable<SignInMechanisms['oidc']>): Facts => [
  address('Issuer', oidc.issuer),
  { label: 'Client id', value: oidc.clientId },
  { label: 'Scopes', value: oidc.scopes },
  address('Callback to register there', oidc.callback),
  address('Address after sign-out to register there', oidc.afterSignOut),
  { label: 'Audience of access tokens', value: oidc.audience ?? oidc.clientId },
  { label: 'Claim of the nick', value: oidc.userClaim },
  { label: 'Claim of the role', value: oidc.roleClaim },
  { label: 'Claim of the enterprise', value: oidc.enterpriseClaim },
  newUsers(oidc.createUsers),
]

const signedParts = {
  assertion: 'The assertion',
  response: 'The response',
  both: 'The response and the assertion',
}

const attribute = (label: string, name: string | undefined, without = 'Not read') => ({
  label,
  value: name ?? without,
})

export const samlFacts = (saml: NonNullable<SignInMechanisms['saml']>): Facts => [
  saml.providerMetadata !== undefined
    ? address('Metadata of the provider', saml.providerMetadata)
    : address('Sign-in address of the provider', saml.entryPoint ?? ''),
  address('Own entity id', saml.entityId),
  address('Own metadata to register there', saml.metadata),
  address('Assertion consumer service', saml.acs),
  address('Single logout service', saml.logout),
  { label: 'Must be signed', value: signedParts[saml.signed] },
  attribute('Attribute of the nick', saml.nickAttribute, 'None: the NameID'),
  attribute('Attribute of the name', saml.nameAttribute),
  attribute('Attribute of the e-mail', saml.emailAttribute),
  attribute('Attribute of the role', saml.roleAttribute),
  attribute('Attribute of the enterprise', saml.enterpriseAttribute),
  newUsers(saml.createUsers),
  { label: 'Nick and password beside it', value: <OnOff on={saml.allowsPassword} /> },
]
