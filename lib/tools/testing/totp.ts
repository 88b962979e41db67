import { createHmac } from 'node:crypto'

const PERIOD = 30_000

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

/** The code of an authenticator app for this secret (RFC 6238 with SHA-1, 30 seconds, 6 digits), not made by the server's own code. */
export function codeOf(secret: string, at: number = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / PERIOD)))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** The secret in an `otpauth` address. */
export const secretOf = (authenticatorUrl: string): string =>
  new URL(authenticatorUrl).searchParams.get('secret') ?? ''
