import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { env } from '#lib/env.server'
import { selfSigned } from '#lib/saml/self-signed.server'
import { failingStart } from '#lib/testing/api-process'
import { newKey, pemOf } from '#lib/testing/saml-idp'

/* A start on a DATABASE_URL that leads nowhere, to a server that refuses, or to one that cannot be trusted. */

const PASSWORD = 'a-password-of-the-database'
const { DATA_DIR } = env()

const addressOf = (port: number, rest = '', host = '127.0.0.1'): string =>
  `postgres://console:${PASSWORD}@${host}:${port}/console${rest}`

/** Answers what a client sends first: PostgreSQL's request for TLS, or the first message of a session. */
async function databaseThat(answer: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** PostgreSQL's ErrorResponse. */
function refusing(code: string, message: string): (socket: Socket) => void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return (socket) => socket.end(Buffer.concat([head, fields]))
}

const key = newKey()
const untrusted = (socket: Socket): void => {
  socket.write('S')
  const secure = new TLSSocket(socket, {
    isServer: true,
    key: pemOf(key),
    cert: selfSigned(key, 'database.test'),
  })
  secure.on('error', () => {})
}
const withoutTls = (socket: Socket): void => void socket.end('N')

const TLS = ['require', 'prefer', 'verify-ca', 'verify-full'].map((mode) => `?sslmode=${mode}`)

const failures: [string, () => Promise<string>, RegExp][] = [
  ['a host that is not known', async () => addressOf(5432, '', 'nowhere.invalid'), /nowhere\.invalid/],
  ['a port on which nobody listens', async () => addressOf(1), /ECONNREFUSED/],
  [
    'a wrong password',
    async () =>
      addressOf(await databaseThat(refusing('28P01', 'password authentication failed for user "console"'))),
    /password authentication failed/,
  ],
  [
    'no such database',
    async () => addressOf(await databaseThat(refusing('3D000', 'database "console" does not exist'))),
    /does not exist/,
  ],
  [
    'an address that may not connect',
    async () => addressOf(await databaseThat(refusing('28000', 'no pg_hba.conf entry for host "127.0.0.1"'))),
    /pg_hba/,
  ],
  [
    'what is no PostgreSQL',
    async () => addressOf(await databaseThat((socket) => void socket.end('HTTP/1.1 400\r\n\r\n'))),
    /./,
  ],
  ...TLS.flatMap((mode): [string, () => Promise<string>, RegExp][] => [
    [
      `a certificate of nobody known, with ${mode}`,
      async () => addressOf(await databaseThat(untrusted), mode),
      /self-signed/,
    ],
    [
      `a server without TLS, with ${mode}`,
      async () => addressOf(await databaseThat(withoutTls), mode),
      /SSL/,
    ],
  ]),
  ['a mode that is none', async () => addressOf(5432, '?sslmode=verify'), /sslmode/],
]

test.each(failures)(
  '%s stops the start with one line, without the password',
  { timeout: 60_000 },
  async (...given) => {
    const [, address, reason] = given
    const { code, said } = await failingStart({ DATA_DIR, DATABASE_URL: await address() })
    expect(said).toMatch(
      /^(The database of DATABASE_URL cannot be (reached|used)|Setting DATABASE_URL): [^\n]+\n$/,
    )
    expect(said).toMatch(reason)
    expect(said).not.toContain(PASSWORD)
    expect(code).toBe(1)
  },
)
