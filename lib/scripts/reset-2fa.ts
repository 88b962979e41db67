import { resetTwoFactor } from '#lib/identity/recovery.server'
import { recoverFor } from '#lib/scripts/recovery'

await recoverFor(async (nick) => {
  await resetTwoFactor(nick)
  return `Two factor authentication is off for ${nick}`
})
