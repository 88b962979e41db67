import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { call, expectStatus, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { cookiesOf, pairOf } from '#lib/tools/testing/session'

/* An authenticator in software, with one passkey. Tests can make it answer wrongly. */

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

const base64url = (data: Buffer | Uint8Array): string => Buffer.from(data).toString('base64url')

type Choices = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  counter?: number
  userVerified?: boolean
  userPresent?: boolean
  /** Backup eligibility and backup state. */
  backup?: 'none' | 'eligible' | 'backed up' | 'backed up though not eligible'
  userHandle?: string | null
}

type Options = { challenge: string; rpId?: string; rp?: { id: string }; user?: { id: string } }

const backups = { none: 0, eligible: 0x08, 'backed up': 0x18, 'backed up though not eligible': 0x10 }

function dataOf(options: Options, choices: Choices, rest = Buffer.alloc(0)): Buffer {
  const { userVerified = true, userPresent = true, backup = 'none', counter = 0 } = choices
  const flags =
    (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | backups[backup] | (rest.length > 0 ? 0x40 : 0)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(choices.rpId ?? options.rpId ?? options.rp?.id ?? ''), head, rest])
}

const clientData = (type: string, options: Options, choices: Choices): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: choices.type ?? type,
      challenge: choices.challenge ?? options.challenge,
      origin: choices.origin ?? ORIGIN,
      crossOrigin: false,
    }),
  )

export function newAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )
  let userHandle = base64url(Buffer.from('nobody'))
  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }
  return {
    id: named.id,
    attest(options: Options, choices: Choices = {}) {
      userHandle = options.user?.id ?? userHandle
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, key])
      const attestationObject = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(dataOf(options, choices, credential))],
        ]) as Map<string, string>,
      )
      const clientDataJSON = base64url(clientData('webauthn.create', options, choices))
      const response = {
        clientDataJSON,
        attestationObject: base64url(attestationObject),
        transports: ['internal', 'hybrid'],
      }
      return { ...named, response }
    },
    assert(options: Options, choices: Choices = {}) {
      const authenticatorData = dataOf(options, choices)
      const client = clientData('webauthn.get', options, choices)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey)
      const handle = choices.userHandle === undefined ? userHandle : choices.userHandle
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        ...(handle !== null && { userHandle: handle }),
      }
      return { ...named, response }
    },
  }
}

export type Authenticator = ReturnType<typeof newAuthenticator>

/** The headers of a browser: its cookies, and the origin of its page. */
export type Browser = { cookie: string; origin: string }

export async function signedInBrowser({ nick, password }: User): Promise<Browser> {
  const answer = await call('POST', '/api/session', { as: null, body: { nick, password } })
  return { cookie: pairOf(cookiesOf(answer).console), origin: ORIGIN }
}

const send = (headers: Record<string, string>, path: string, body: object) =>
  call('POST', path, { as: null, headers, body })

/** Registers a passkey in a new session of the user. */
export async function newPasskey(user: User, choices: Choices = {}, name = unique('Passkey')) {
  const browser = await signedInBrowser(user)
  const authenticator = newAuthenticator()
  const options = await expectStatus(200, send(browser, '/api/session/passkeys/action/options', {}))
  const response = authenticator.attest(options, choices)
  const passkey = await expectStatus(201, send(browser, '/api/session/passkeys', { name, response }))
  return { browser, authenticator, id: passkey.id as number, name }
}

/** Options of the server to a browser without cookies, with the cookie to which they are bound. */
export async function optionsFor(nick?: string): Promise<{ options: Options; cookie: string }> {
  const answer = await send({}, '/api/session/passkey/options', nick === undefined ? {} : { nick })
  return { options: await expectStatus(200, answer), cookie: pairOf(cookiesOf(answer).passkey) }
}

type SigningIn = { choices?: Choices; beside?: User; cookie?: string }

/** Signs in with a passkey, alone or beside nick and password. */
export async function signInWith(
  authenticator: Authenticator,
  { choices, beside, cookie }: SigningIn = {},
): Promise<Response> {
  const offered = await optionsFor(beside?.nick)
  const passkey = authenticator.assert(offered.options, choices)
  const { nick, password } = beside ?? {}
  return send({ cookie: cookie ?? offered.cookie }, '/api/session', { nick, password, passkey })
}
