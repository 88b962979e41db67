import { startProvider } from '#lib/testing/oidc-provider'

/* The demo with an OpenID Connect provider. The provider's settings must be set before anything reads the settings. */

process.env.DATA_DIR ??= './data/demo'
process.env.ADMIN_PASSWORD ??= 'demo demo demo'
const port = process.env.PORT ?? '3000'
const accounts = new Map<string, Record<string, unknown>>()
const { issuer, settings } = await startProvider({
  origins: [process.env.BASE_URL ?? `http://127.0.0.1:${port}`, `http://localhost:${port}`],
  accounts,
})
Object.assign(process.env, settings, {
  OIDC_SCOPES: 'openid profile email offline_access',
  OIDC_CREATE_USERS: 'true',
})

const { database } = await import('#lib/db/db.server')
const { sampleCloud } = await import('#lib/sample/cloud.server')
const { prepare } = await import('#lib/server/prepare.server')
const { serve } = await import('#lib/server/serve.server')

const { ADMIN_PASSWORD } = await prepare()
const { read } = database()
if (!(await read.selectFrom('datacenters').select('id').limit(1).executeTakeFirst()))
  await sampleCloud(ADMIN_PASSWORD)

const users = await read
  .selectFrom('users')
  .innerJoin('roles', 'roles.id', 'users.role_id')
  .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
  .where('users.active', '=', 1)
  .select(['users.nick', 'users.name', 'users.surname', 'users.email'])
  .select(['roles.name as role', 'enterprises.name as enterprise'])
  .orderBy('users.id')
  .execute()
for (const { nick, name, surname, email, role, enterprise } of users)
  accounts.set(nick, {
    preferred_username: nick,
    given_name: name,
    family_name: surname,
    email,
    role,
    enterprise,
  })

/** Accounts that only the provider has: one becomes a user at the first sign-in, the other is refused. */
const enterprise = users.at(-1)?.enterprise
accounts.set('new.colleague', {
  preferred_username: 'new.colleague',
  given_name: 'New',
  family_name: 'Colleague',
  email: 'new.colleague@example.test',
  role: 'USER',
  enterprise,
})
accounts.set('passer.by', { preferred_username: 'passer.by', name: 'Passer By' })

await serve()
const byRole = new Map(users.toReversed().map(({ nick, role }) => [role, nick]))
const people = [...byRole].toReversed().map(([role, nick]) => `${nick} (${role})`)
process.stdout.write(
  [
    `OpenID Connect provider: ${issuer}`,
    `Sign in there with any password as ${people.join(', ')}`,
    `new.colleague becomes a user of ${enterprise} at the first sign-in; passer.by is known there, but not here`,
    '',
  ].join('\n'),
)
