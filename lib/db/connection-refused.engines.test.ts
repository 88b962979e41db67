import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { closeDatabase, openDatabase } from '#lib/db/db.server'
import { env, SettingError } from '#lib/ground/env.server'
import { selfSigned } from '#lib/people/saml/self-signed.server'
import { requireConnection } from '#lib/server/prepare.server'
import { StartFailure } from '#lib/server/start-failure.server'
import { failingStart } from '#lib/tools/testing/api-process'
import { newKey, pemOf } from '#lib/tools/testing/saml-idp'
import { swept } from '#lib/tools/testing/search'

/* The server starts with a DATABASE_URL whose host is unreachable, refuses the connection, or cannot be trusted. */

const PASSWORD = 'a-password-of-the-database'
const { DATA_DIR } = env()

const addressOf = (port: number, rest = '', host = '127.0.0.1'): string =>
  `postgres://console:${PASSWORD}@${host}:${port}/console${rest}`

/** A server that answers the first message of a client: the TLS request of PostgreSQL, or the start of a session. */
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

const SLOW = { timeout: 60_000 }

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

type Failure = [title: string, address: () => Promise<string>, reason: RegExp]

const failures: Failure[] = [
  ['an unknown host', async () => addressOf(5432, '', 'nowhere.invalid'), /nowhere\.invalid/],
  ['a port on which no server listens', async () => addressOf(1), /ECONNREFUSED/],
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
    'a server other than PostgreSQL',
    async () => addressOf(await databaseThat((socket) => void socket.end('HTTP/1.1 400\r\n\r\n'))),
    /./,
  ],
  ...TLS.flatMap((mode): Failure[] => [
    [
      `an untrusted certificate, with ${mode}`,
      async () => addressOf(await databaseThat(untrusted), mode),
      /self-signed/,
    ],
    [
      `a server without TLS, with ${mode}`,
      async () => addressOf(await databaseThat(withoutTls), mode),
      /SSL/,
    ],
  ]),
  ['an unknown sslmode', async () => addressOf(5432, '?sslmode=verify'), /sslmode/],
  [
    'an unreadable certificate file',
    async () => addressOf(5432, '?sslrootcert=/nowhere.pem'),
    /^Setting DATABASE_URL: ENOENT/,
  ],
  [
    'two ports on which no server listens',
    async () => addressOf(1).replace('127.0.0.1:1', '127.0.0.1:1,127.0.0.1:2'),
    /cannot be reached: ./,
  ],
]

const isOneLine = (said: string, reason: RegExp): void => {
  expect(said).toMatch(
    /^(The database of DATABASE_URL cannot be (reached|used)|Setting DATABASE_URL): [^\n]+\n$/,
  )
  expect(said).toMatch(reason)
  expect(said).not.toContain(PASSWORD)
}

/** The message of the start about this address. */
async function saidOf(DATABASE_URL: string): Promise<string> {
  try {
    const database = openDatabase({ DATA_DIR, DATABASE_URL })
    onTestFinished(() => closeDatabase(database))
    await requireConnection(database)
    return 'connected'
  } catch (error) {
    if (!(error instanceof StartFailure || error instanceof SettingError)) throw error
    return `${error.message}\n`
  }
}

test.each(failures)(
  '%s is reported in one line that does not show the password',
  async (_, address, reason) => {
    isOneLine(await saidOf(await address()), reason)
  },
)

/** At the connection, in TLS (the driver warns of this mode), in the setting. */
const kinds = [
  'an unknown host',
  'an untrusted certificate, with ?sslmode=prefer',
  'an unknown sslmode',
  'an unreadable certificate file',
  'two ports on which no server listens',
]
const started = failures.filter(([title]) => kinds.includes(title))

// One PostgreSQL test each day: a start takes seconds of processor time, and the tests above already run the same code.
test.each(swept(started, started.length))(
  '%s stops the start with that line alone',
  SLOW,
  async (_, address, reason) => {
    const { code, said } = await failingStart({ DATA_DIR, DATABASE_URL: await address() })
    isOneLine(said, reason)
    expect(code).toBe(1)
  },
)

test('a failure of each kind stops a start', () => {
  expect(started).toHaveLength(kinds.length)
})
