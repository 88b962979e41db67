import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { percentEncode } from '#lib/ground/http/percent-encode'
import { exactBytes } from '#lib/ground/keys/base64.server'

export const signatureMethods = ['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'RSA-SHA256', 'PLAINTEXT'] as const
export type SignatureMethod = (typeof signatureMethods)[number]

type Secrets = { consumer: string; token: string; publicKey: string | null }

const equal = (received: Buffer, expected: Buffer): boolean =>
  received.length === expected.length && timingSafeEqual(received, expected)

const keyOf = ({ consumer, token }: Secrets): string => `${percentEncode(consumer)}&${percentEncode(token)}`

const hashes = { SHA1: 'sha1', SHA256: 'sha256' } as const

type Signature = { method: SignatureMethod; signature: string; base: string }

/** Whether the signature is correct (RFC 5849 §3.4.2 to §3.4.4, and the same with SHA-256). */
export function isSignedBy(secrets: Secrets, { method, signature, base }: Signature): boolean {
  if (method === 'PLAINTEXT') return equal(Buffer.from(signature), Buffer.from(keyOf(secrets)))
  const [family, name] = method.split('-') as ['HMAC' | 'RSA', 'SHA1' | 'SHA256']
  const bytes = exactBytes(signature, 'base64')
  if (!bytes) return false
  if (family === 'HMAC') return equal(bytes, createHmac(hashes[name], keyOf(secrets)).update(base).digest())
  return secrets.publicKey !== null && verify(hashes[name], Buffer.from(base), secrets.publicKey, bytes)
}

/** Whether the PEM holds a public RSA key of at least 2048 bits. */
export function isRsaPublicKey(pem: string): boolean {
  try {
    if (/PRIVATE KEY/.test(pem)) return false
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}

const SHA1_BYTES = 20

/**
 * Whether this is the hash of the body (`oauth_body_hash`). Common clients send SHA-1 with every signature method, so the length of the
 * hash decides between SHA-1 and SHA-256.
 */
export function isHashOf(body: Uint8Array, text: string): boolean {
  const bytes = exactBytes(text, 'base64')
  if (!bytes) return false
  const hash = bytes.length === SHA1_BYTES ? 'sha1' : 'sha256'
  return equal(bytes, createHash(hash).update(body).digest())
}
