import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { mails } from '#lib/record/mail/outbox.server'
import { withSettings } from '#lib/tools/testing/session'

export const SENDER = 'Console <console@example.test>'

export type Mailbox = {
  /** All mails to this address so far, after everything that is due was sent. */
  of: (address: string) => Promise<Email[]>
  /** Whom the mails so far were for, in the order in which they came. */
  inOrder: () => string[]
}

/** Runs `work` in an installation with a mail server: a real one, on loopback. */
export async function withMailbox<T>(work: (mailbox: Mailbox) => Promise<T>): Promise<T> {
  const received: { to: string[]; mail: Email }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          received.push({ to, mail })
          done()
        }, done)
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: SENDER }
  const of = async (address: string) => {
    await mails.sendDue()
    return received.filter(({ to }) => to.includes(address)).map(({ mail }) => mail)
  }
  try {
    return await withSettings(settings, () => work({ of, inOrder: () => received.flatMap(({ to }) => to) }))
  } finally {
    server.close(() => {})
  }
}

/** The six digits of the last mail that has some: codes are sent before notices. */
export function codeIn(mails: readonly Email[]): string {
  const code = mails.flatMap(({ text = '' }) => /\b\d{6}\b/.exec(text) ?? []).at(-1)
  if (!code) throw new Error(`no code among ${mails.length} mails`)
  return code
}

let serial = 0

/** An address that no other test uses. */
export const newAddress = (): string => {
  serial += 1
  return `person-${process.pid}-${serial}@example.test`
}
