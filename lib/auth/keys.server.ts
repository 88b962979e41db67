import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { env } from '#lib/env.server'

type Purpose = 'token' | 'session' | 'encryption' | 'code'

const derived = new Map<Purpose, Buffer>()

/** A 256-bit key of its own for each purpose, derived from SECRET_KEY (HKDF, RFC 5869). */
export function keyFor(purpose: Purpose): Buffer {
  const key =
    derived.get(purpose) ?? Buffer.from(hkdfSync('sha256', env().SECRET_KEY, '', `console/${purpose}`, 32))
  derived.set(purpose, key)
  return key
}

export const sign = (purpose: Purpose, text: string): Buffer =>
  createHmac('sha256', keyFor(purpose)).update(text).digest()

/** Encrypts for storage (AES-256-GCM). `context` binds the text to its place: it opens nowhere else. */
export function encrypt(text: string, context: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor('encryption'), nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Throws where the text was not encrypted with this key for this context. */
export function decrypt(sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyFor('encryption'), bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
