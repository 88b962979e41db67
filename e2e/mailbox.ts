import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'playwright/test'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Received = { to: string[]; subject: string; text: string }

export type Mailbox = {
  /** The SMTP_URL of an installation whose mail comes here. */
  url: string
  /** The last mail to this address with such a subject, once it has come. */
  textTo: (address: string, subject: RegExp) => Promise<string>
  stop: () => Promise<void>
}

/** A real mail server, on loopback. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject = '', text = '' }) => {
          mails.push({ to, subject, text })
          done()
        }, done)
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    textTo: async (address, subject) => {
      const find = () => mails.findLast((mail) => mail.to.includes(address) && subject.test(mail.subject))
      await expect.poll(find, { message: `a mail to ${address}: ${subject}` }).toBeDefined()
      return find()?.text ?? ''
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
