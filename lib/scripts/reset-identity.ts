import { resetIdentity } from '#lib/identity/recovery.server'
import { recoverFor } from '#lib/scripts/recovery'

await recoverFor(async (nick) => {
  await resetIdentity(nick)
  return `${nick} is bound to nobody at the identity providers: the next sign-in there is matched by nick`
})
