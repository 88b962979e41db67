import type { Trx } from '#lib/db/db.server'
import { notify } from '#lib/record/mail/outbox.server'

type EmailChange = { userId: number; from: string; to: string }

/** Revokes links and codes that were mailed to the user. */
export async function endMailedOf(trx: Trx, userId: number): Promise<void> {
  for (const table of ['password_resets', 'mailed_codes', 'invitations'] as const)
    await trx.deleteFrom(table).where('user_id', '=', userId).execute()
}

/** After any change of the e-mail address: revokes links and codes that were mailed to the old address, and notifies the old address. */
export async function settleEmail(trx: Trx, { userId, from, to }: EmailChange): Promise<void> {
  if (from === to) return
  await endMailedOf(trx, userId)
  if (from !== '') await notify(trx, userId, { kind: 'email-changed', to: to || '–' }, { to: from })
}
