import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { env, isLoopback } from '#lib/env.server'
import { decrypt, encrypt } from '#lib/keys/keys.server'
import { log } from '#lib/log.server'
import { compose, type Mail } from '#lib/mail/compose.server'
import type { Notice } from '#lib/mail/notices'

/*
 * A mail is stored in the transaction of the change that it reports, and any process sends it afterwards. A change that was rolled back
 * sends no mail, a committed one sends it even after a crash, and no request waits for the mail server.
 */

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

const AT_ONCE = 20
/** After this time (ms) another process may attempt to send the same mail. */
const CLAIM = 60 * SECOND

/** Claims the mails that are due. If the process dies, another one sends them when the claim expires. */
const claim = () =>
  transaction(async (trx) => {
    const now = Date.now()
    await trx.deleteFrom('mails').where('expires_at', '<', now).execute()
    const due = await trx
      .selectFrom('mails')
      .where('due_at', '<=', now)
      .select(['id', 'sealed', 'attempts'])
      .orderBy('due_at')
      .limit(AT_ONCE)
      .execute()
    const ids = due.map(({ id }) => id)
    if (ids.length > 0)
      await trx
        .updateTable('mails')
        .set({ due_at: now + CLAIM })
        .where('id', 'in', ids)
        .execute()
    return due
  })

const isAnythingDue = async (): Promise<boolean> => {
  const due = await database()
    .read.selectFrom('mails')
    .where('due_at', '<=', Date.now())
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
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

type Claimed = Awaited<ReturnType<typeof claim>>[number]

/** Sends the mails that are due. Failed ones are retried after 5 s, then less often, at least every 10 minutes. */
export async function sendMails(): Promise<void> {
  while (sendsMail() && (await isAnythingDue())) {
    const mails = await claim()
    if (mails.length === 0) return
    const transport = openTransport()
    await Promise.all(mails.map((mail) => sendOne(mail, (content) => transport.sendMail(content))))
    transport.close()
  }
}

async function sendOne(
  { id, sealed, attempts }: Claimed,
  send: (content: Mail & { from: string }) => Promise<unknown>,
): Promise<void> {
  try {
    const mail = JSON.parse(decrypt(sealed, MAIL_CONTEXT)) as Mail
    await send({ ...mail, from: env().MAIL_FROM ?? '' })
    await transaction((trx) => trx.deleteFrom('mails').where('id', '=', id).execute())
  } catch (err) {
    log().warn({ err, mail: id, attempts: attempts + 1 }, 'a mail could not be sent')
    const due_at = Date.now() + Math.min(5 * SECOND * 2 ** attempts, 600 * SECOND)
    await transaction((trx) =>
      trx
        .updateTable('mails')
        .set({ due_at, attempts: attempts + 1 })
        .where('id', '=', id)
        .execute(),
    )
  }
}

/** Sends due mails every second. Rounds never overlap. */
export function keepSending(): NodeJS.Timeout {
  let isBusy = false
  const round = async () => {
    if (isBusy) return
    isBusy = true
    try {
      await sendMails()
    } catch (err) {
      log().error({ err }, 'the mails could not be read')
    } finally {
      isBusy = false
    }
  }
  return setInterval(() => void round(), SECOND).unref()
}
