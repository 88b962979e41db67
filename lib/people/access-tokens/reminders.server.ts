import { endingUnannounced, markAnnounced } from '#lib/caller/auth/access-tokens.server'
import { database, transaction } from '#lib/db/db.server'
import { NOTICE } from '#lib/people/access-tokens/access-tokens.server'
import { SERVICE } from '#lib/people/identity/users.schema'
import { isMailAddress, notify, sendsMail } from '#lib/record/mail/outbox.server'

const BATCH = 100

type Ending = Awaited<ReturnType<typeof endingUnannounced>>[number]

/** A service account without an address of its own reads no mail: the maker of the token gets it. */
const readerOf = ({ user_id, created_by, auth_type, email }: Ending): number =>
  auth_type === SERVICE && !isMailAddress(email) ? created_by : user_id

/** Mails a week before a token ends, once. Without a mail server nothing is marked, so that the mail comes once there is one. */
export async function remindOfEndingTokens(): Promise<void> {
  if (!sendsMail()) return
  const ending = await endingUnannounced(database().read, Date.now() + NOTICE, BATCH)
  for (const token of ending)
    await transaction(async (trx) => {
      if (!(await markAnnounced(trx, token.id))) return
      const { name, nick, expires_at: at } = token
      await notify(trx, readerOf(token), { kind: 'access-token-ends', name, nick, at })
    })
  if (ending.length === BATCH) await remindOfEndingTokens()
}
