import { oneOfEachRole, openDemo, startOver, tell } from '#lib/tools/scripts/demo-cloud'
import { startProvider } from '#lib/tools/testing/oidc-provider'

/* The demo with an OpenID Connect provider. The provider's settings must be set before anything reads the settings. */

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

const { directory, users } = await openDemo()
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

const { serve } = await import('#lib/server/serve.server')
await serve()
const people = oneOfEachRole(users).map(({ nick, role }) => `${nick} (${role})`)
tell(
  `OpenID Connect provider: ${issuer}`,
  `Sign in there with any password as ${people.join(', ')}`,
  `new.colleague becomes a user of ${enterprise} at the first sign-in; passer.by is known there, but not here`,
  `${startOver}${directory}`,
)
