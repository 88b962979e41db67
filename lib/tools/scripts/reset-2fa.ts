import { resetTwoFactor } from '#lib/people/identity/recovery.server'
import { recoverFor } from '#lib/tools/scripts/recovery'

await recoverFor(async (nick) => {
  await resetTwoFactor(nick)
  return `Two factor authentication is off for ${nick}`
})
