import { type Accounts, startIdp } from '#lib/testing/saml-idp-server'

/* The demo with a SAML identity provider. The provider's settings must be set before anything reads the settings. */

process.env.DATA_DIR ??= './data/demo'
process.env.ADMIN_PASSWORD ??= 'demo demo demo'
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

const { database } = await import('#lib/db/db.server')
const { sampleCloud } = await import('#lib/sample/cloud.server')
const { prepare } = await import('#lib/server/prepare.server')
const { serve } = await import('#lib/server/serve.server')

const { ADMIN_PASSWORD = '' } = await prepare()
const { read } = database()
if (!(await read.selectFrom('datacenters').select('id').limit(1).executeTakeFirst()))
  await sampleCloud(ADMIN_PASSWORD)

const users = await read
  .selectFrom('users')
  .innerJoin('roles', 'roles.id', 'users.role_id')
  .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
  .where('users.active', '=', 1)
  .select(['users.nick', 'users.name', 'users.email'])
  .select(['roles.name as role', 'enterprises.name as enterprise'])
  .orderBy('users.id')
  .execute()
const byRole = new Map(users.toReversed().map((user) => [user.role, user]))
const people = [...byRole.values()].toReversed()
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

await serve()
process.stdout.write(
  [
    `SAML identity provider: ${idp.origin}`,
    `Sign in there, without a password, as ${people.map(({ nick, role }) => `${nick} (${role})`).join(', ')}`,
    `new.colleague becomes a user of ${enterprise} at the first sign-in; passer.by is known there, but not here`,
    '',
  ].join('\n'),
)
