import { resetPassword } from '#lib/people/identity/recovery.server'
import { recoverFor } from '#lib/tools/scripts/recovery'

await recoverFor(async (nick) => `The password of ${nick} is: ${await resetPassword(nick)} (shown this once)`)
