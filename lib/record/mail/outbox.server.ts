import { sql } from 'kysely'
import { z } from 'zod'
import type { Trx } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { decrypt, encrypt } from '#lib/ground/keys/keys.server'
import { isLoopback } from '#lib/ground/net/loopback'
import { compose, type Mail } from '#lib/record/mail/compose.server'
import type { Notice } from '#lib/record/mail/notices'
import { outbox } from '#lib/record/outbox/outbox.server'

const SECOND = 1000
const HOUR = 3600 * SECOND
/** Long enough for any mail server to recover. */
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
    .select(['nick', 'name', 'email', 'locale', 'enterprise_id'])
    .executeTakeFirst()
  const reader = user && { ...user, email: to ?? user.email }
  if (!reader || !isMailAddress(reader.email)) return
  const now = Date.now()
  await trx
    .insertInto('mails')
    .values({
      sealed: encrypt(JSON.stringify(compose(reader, notice)), MAIL_CONTEXT),
      due_at: now,
      expires_at: now + patience,
      attempts: 0,
      enterprise_id: reader.enterprise_id,
    })
    .execute()
}

/**
 * Mails contain codes and links, so they leave this machine only encrypted, unless the address has `ignoreTLS=true`. A server without
 * STARTTLS may be an attacker on the network.
 */
async function openTransport() {
  // Loaded when first needed: few processes send mail.
  const { createTransport } = await import('nodemailer')
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

/**
 * Failed mails are retried after 5 s, then less often, at least every 10 minutes. The enterprises of the recipients take turns, so that
 * many mails of one do not delay those of another. Within an enterprise codes and links, which expire sooner, go before notices.
 */
export const mails = outbox<MailRow>({
  table: 'mails',
  atOnce: 20,
  isOn: sendsMail,
  due: (db, { now, most }) =>
    db
      .with('turns', (query) =>
        query
          .selectFrom('mails')
          .where('due_at', '<=', now)
          .select(['id', 'due_at'])
          .select(
            sql<number>`row_number() over (partition by enterprise_id order by expires_at, id)`.as('turn'),
          ),
      )
      .selectFrom('turns')
      .innerJoin('mails', 'mails.id', 'turns.id')
      .select(['mails.id', 'mails.sealed', 'mails.attempts', 'mails.expires_at'])
      .orderBy('turns.turn')
      .orderBy('turns.due_at')
      .orderBy('mails.id')
      .limit(most)
      .execute(),
  send: async (row) => {
    const mail = JSON.parse(decrypt(row.sealed, MAIL_CONTEXT)) as Mail
    await (await openTransport()).sendMail({ ...mail, from: env().MAIL_FROM ?? '' })
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
