import { createTransport } from 'nodemailer'
import { z } from 'zod'
import type { Trx } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { decrypt, encrypt } from '#lib/keys/keys.server'
import { compose, type Mail } from '#lib/mail/compose.server'
import type { Notice } from '#lib/mail/notices'
import { isLoopback } from '#lib/net/loopback'
import { outbox } from '#lib/outbox/outbox.server'

const SECOND = 1000
const HOUR = 3600 * SECOND
/** Long enough for any mail server to come back. */
const PATIENCE = 12 * HOUR

/** Whether this installation can send mail at all. */
export const sendsMail = (): boolean => env().SMTP_URL !== undefined

const address = z.email()
export const isMailAddress = (text: string): boolean => address.safeParse(text).success

export const MAIL_CONTEXT = 'mails'

/** Mails the user, if there is a mail server and they have an address. A mail that cannot be sent within `patience` ms is dropped. */
export async function notify(
  trx: Trx,
  userId: number,
  notice: Notice,
  { patience = PATIENCE, to }: { patience?: number; to?: string } = {},
): Promise<void> {
  if (!sendsMail()) return
  const user = await trx
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['nick', 'name', 'email', 'locale'])
    .executeTakeFirst()
  const reader = user && { ...user, email: to ?? user.email }
  if (!reader || !isMailAddress(reader.email)) return
  const now = Date.now()
  await trx
    .insertInto('mails')
    .values({
      sealed: encrypt(JSON.stringify(await compose(reader, notice)), MAIL_CONTEXT),
      due_at: now,
      expires_at: now + patience,
      attempts: 0,
    })
    .execute()
}

/**
 * Mails contain codes and links, so they leave this machine only encrypted, unless the address has `ignoreTLS=true`. A server without
 * STARTTLS may be an attacker on the network.
 */
function openTransport() {
  const { SMTP_URL = '' } = env()
  const { hostname, searchParams } = new URL(SMTP_URL)
  return createTransport({
    url: SMTP_URL,
    requireTLS: !isLoopback(hostname) && searchParams.get('ignoreTLS') !== 'true',
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 20 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

type MailRow = { id: number; sealed: string; attempts: number; expires_at: number }

const remove = (trx: Trx, { id }: MailRow) => trx.deleteFrom('mails').where('id', '=', id).execute()

/** Failed mails are retried after 5 s, then less often, at least every 10 minutes. */
export const mails = outbox<MailRow>({
  table: 'mails',
  atOnce: 20,
  isOn: sendsMail,
  due: (db, { now, most }) =>
    db
      .selectFrom('mails')
      .where('due_at', '<=', now)
      .select(['id', 'sealed', 'attempts', 'expires_at'])
      .orderBy('due_at')
      .limit(most)
      .execute(),
  send: async (row) => {
    const mail = JSON.parse(decrypt(row.sealed, MAIL_CONTEXT)) as Mail
    await openTransport().sendMail({ ...mail, from: env().MAIL_FROM ?? '' })
    return (trx) => remove(trx, row)
  },
  failed: (trx, { id, attempts }) =>
    trx
      .updateTable('mails')
      .set({
        due_at: Date.now() + Math.min(5 * SECOND * 2 ** attempts, 600 * SECOND),
        attempts: attempts + 1,
      })
      .where('id', '=', id)
      .execute(),
  expired: remove,
})
