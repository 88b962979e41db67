import { resetPassword } from '#lib/identity/recovery.server'
import { recoverFor } from '#lib/scripts/recovery'

await recoverFor(async (nick) => `The password of ${nick} is: ${await resetPassword(nick)} (shown this once)`)
