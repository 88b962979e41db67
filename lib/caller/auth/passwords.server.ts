import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { LRUCache } from 'lru-cache'
import { env } from '#lib/ground/env.server'
import { tooBusy } from '#lib/ground/http/busy'
import { noteOverload } from '#lib/ground/metrics/metrics.server'

/** argon2id with the parameters of RFC 9106's second recommendation, scaled to OWASP's minimum for servers. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash takes a core for about 20 ms. Beyond this limit requests fail at once, so that no queue outlasts a flood of sign-ins. */
const AT_ONCE = 64
let underWay = 0

async function withinLimit<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) {
    noteOverload('passwords')
    throw tooBusy()
  }
  underWay += 1
  try {
    return await work()
  } finally {
    underWay -= 1
  }
}

/** Throws 503 if too many hashes are under way. */
export const hashPassword = (password: string): Promise<string> => withinLimit(() => hash(password, options))

/** A generated password: 22 characters with 128 bits, or more if PASSWORD_MIN_LENGTH is larger. */
export const generatePassword = (): string =>
  randomBytes(Math.max(16, Math.ceil((env().PASSWORD_MIN_LENGTH * 3) / 4))).toString('base64url')

/** Compared for unknown nicks, so that an unknown nick takes as long as a wrong password. */
const unusedHash = hashPassword(randomBytes(16).toString('hex'))

/** The hash of an unknown password. */
export const unknownPassword = (): Promise<string> => unusedHash

/**
 * Recently verified passwords, as keyed digests of the password and the stored hash. A repeated sign-in skips the expensive hash, and a
 * changed password is never found here.
 */
const verified = new LRUCache<string, true>({ max: 10_000, ttl: 15 * 60 * 1000 })
const pepper = randomBytes(32).toString('hex')

/** `known`: correct and recently verified, so nothing was hashed. */
type PasswordVerdict = 'wrong' | 'right' | 'known'

const digestOf = (stored: string, password: string): string =>
  createHash('sha256').update(`${pepper}\0${stored}\0${password}`).digest('base64url')

/** Whether this password was recently verified against this hash. */
export const wasVerified = (stored: string, password: string): boolean =>
  verified.has(digestOf(stored, password))

/** Always hashes, so that the time does not reveal whether the password was verified before. */
export const comparePassword = (stored: string, password: string): Promise<boolean> =>
  withinLimit(() => verify(stored, password))

/** Compares a password with the stored hash; `undefined` means that there is no such account. Throws 503 if too many hashes are under way. */
export async function checkPassword(stored: string | undefined, password: string): Promise<PasswordVerdict> {
  if (stored === undefined) {
    await comparePassword(await unusedHash, password)
    return 'wrong'
  }
  const digest = digestOf(stored, password)
  if (verified.has(digest)) return 'known'
  if (!(await comparePassword(stored, password))) return 'wrong'
  verified.set(digest, true)
  return 'right'
}
