import { oneOfEachRole, openDemo, startOver, tell } from '#lib/tools/scripts/demo-cloud'
import { type Accounts, startIdp } from '#lib/tools/testing/saml-idp-server'

/* The demo with a SAML identity provider. The provider's settings must be set before anything reads the settings. */

// A SAML response is bound to one address: the browser returns here even if it started at another.
process.env.BASE_URL ??= `http://127.0.0.1:${process.env.PORT ?? '3000'}`
const accounts: Accounts = new Map()
const metadataOf = async () => (await fetch(`${process.env.BASE_URL}/api/auth/saml/metadata`)).text()
const { idp, settings } = await startIdp({ accounts, metadataOf })
Object.assign(process.env, settings, {
  SAML_CREATE_USERS: 'true',
  SAML_NAME_ATTRIBUTE: 'displayName',
  SAML_EMAIL_ATTRIBUTE: 'mail',
  SAML_ROLE_ATTRIBUTE: 'role',
  SAML_ENTERPRISE_ATTRIBUTE: 'enterprise',
})

const { directory, users } = await openDemo()
const people = oneOfEachRole(users)
for (const { nick, name, email, role, enterprise } of people)
  accounts.set(nick, { displayName: name, mail: email, role, enterprise })

/** Accounts that only the provider has: one becomes a user at the first sign-in, the other is refused. */
const enterprise = users.at(-1)?.enterprise
accounts.set('new.colleague', {
  displayName: 'New Colleague',
  mail: 'new.colleague@example.test',
  role: 'USER',
  enterprise,
})
accounts.set('passer.by', { displayName: 'Passer By' })

const { serve } = await import('#lib/server/serve.server')
await serve()
tell(
  `SAML identity provider: ${idp.origin}`,
  `Sign in there, without a password, as ${people.map(({ nick, role }) => `${nick} (${role})`).join(', ')}`,
  `new.colleague becomes a user of ${enterprise} at the first sign-in; passer.by is known there, but not here`,
  `${startOver}${directory}`,
)
