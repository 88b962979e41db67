import { resetIdentity } from '#lib/people/federation/people.server'
import { recoverFor } from '#lib/tools/scripts/recovery'

await recoverFor(async (nick) => {
  await resetIdentity(nick)
  return `${nick} is no longer bound to an identity provider. The next sign-in there is matched by nick.`
})
