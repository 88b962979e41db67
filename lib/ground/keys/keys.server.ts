import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { env } from '#lib/ground/env.server'

type Purpose = 'token' | 'session' | 'encryption' | 'code' | 'request' | 'passkey'

/** By secret and purpose. */
const derived = new Map<string, Map<Purpose, Buffer>>()

/** Derives a separate 256-bit key for each purpose (HKDF, RFC 5869). */
function derive(secret: string, purpose: Purpose): Buffer {
  const keys = derived.get(secret) ?? new Map<Purpose, Buffer>()
  const known = keys.get(purpose)
  if (known) return known
  const key = Buffer.from(hkdfSync('sha256', secret, '', `console/${purpose}`, 32))
  derived.set(secret, keys.set(purpose, key))
  return key
}

/** The current key first, then those of SECRET_KEY_PREVIOUS, which only verify and decrypt. */
export const keysFor = (purpose: Purpose): [Buffer, ...Buffer[]] => {
  const { SECRET_KEY, SECRET_KEY_PREVIOUS } = env()
  const previous = SECRET_KEY_PREVIOUS.map((secret) => derive(secret, purpose))
  return [derive(SECRET_KEY, purpose), ...previous]
}

/** Cached, because importing a key takes longer than signing with it. */
const signingKeys = new WeakMap<Buffer, KeyObject>()

function mac(key: Buffer, text: string): Buffer {
  const known = signingKeys.get(key) ?? createSecretKey(key)
  signingKeys.set(key, known)
  return createHmac('sha256', known).update(text).digest()
}

export const sign = (purpose: Purpose, text: string): Buffer => mac(keysFor(purpose)[0], text)

/** The signatures by each key, the current one first. */
export const signatures = (purpose: Purpose, text: string): Buffer[] =>
  keysFor(purpose).map((key) => mac(key, text))

/** Compares in constant time, with every key. */
export const isSigned = (purpose: Purpose, text: string, received: Buffer): boolean =>
  signatures(purpose, text).some(
    (expected) => received.length === expected.length && timingSafeEqual(received, expected),
  )

/** Encrypts for storage (AES-256-GCM), with `context` as associated data: a copied value cannot be decrypted in another place. */
export function encrypt(text: string, context: string): string {
  const nonce = randomBytes(12)
  const [key] = keysFor('encryption')
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function open(sealed: string, context: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Throws if the text was not encrypted for this context with one of the keys. */
export function decrypt(sealed: string, context: string): string {
  for (const key of keysFor('encryption')) {
    const text = open(sealed, context, key)
    if (text !== undefined) return text
  }
  throw new Error(`The value stored at ${context} was encrypted with another SECRET_KEY`)
}

/** The text encrypted with the current key, or undefined if it already is. Throws like `decrypt`. */
export function reencrypted(sealed: string, context: string): string | undefined {
  const [key] = keysFor('encryption')
  return open(sealed, context, key) === undefined ? encrypt(decrypt(sealed, context), context) : undefined
}
