import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { LRUCache } from 'lru-cache'
import { env } from '#lib/env.server'
import { tooBusy } from '#lib/http/busy'
import { noteOverload } from '#lib/metrics/metrics.server'

/** argon2id with the parameters of RFC 9106's second recommendation, scaled to OWASP's minimum for servers. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each of them takes a core for some twenty milliseconds: a flood of sign-ins is no queue that goes on when the flood is over. */
const AT_ONCE = 64
let underWay = 0

async function dear<T>(work: () => Promise<T>): Promise<T> {
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

/** Throws 503 where too many wait for it. */
export const hashPassword = (password: string): Promise<string> => dear(() => hash(password, options))

/** A generated password: 22 characters, 128 bits; more where the setting asks for longer ones. */
export const generatePassword = (): string =>
  randomBytes(Math.max(16, Math.ceil((env().PASSWORD_MIN_LENGTH * 3) / 4))).toString('base64url')

/** Nobody's password: an unknown nick costs the time of a wrong password. */
const nobody = hashPassword(randomBytes(16).toString('hex'))

/**
 * Passwords that were verified lately, as a keyed digest over password and stored hash: a repeated sign-in does not pay
 * the hash again, and a changed password is never found here.
 */
const verified = new LRUCache<string, true>({ max: 10_000, ttl: 15 * 60 * 1000 })
const pepper = randomBytes(32).toString('hex')

/** `known`: right, and verified lately. */
type PasswordVerdict = 'wrong' | 'right' | 'known'

const digestOf = (stored: string, password: string): string =>
  createHash('sha256').update(`${pepper}\0${stored}\0${password}`).digest('base64url')

/** Whether this password was compared with this hash lately, and was right. */
export const wasVerified = (stored: string, password: string): boolean =>
  verified.has(digestOf(stored, password))

/** Compares anew, and remembers nothing: the time it takes does not say whether it was right before. */
export const comparePassword = (stored: string, password: string): Promise<boolean> =>
  dear(() => verify(stored, password))

/** Compares a password with the stored hash; `undefined` stands for an account that does not exist. Throws 503 where too many wait. */
export async function checkPassword(stored: string | undefined, password: string): Promise<PasswordVerdict> {
  if (stored === undefined) {
    await comparePassword(await nobody, password)
    return 'wrong'
  }
  const digest = digestOf(stored, password)
  if (verified.has(digest)) return 'known'
  if (!(await comparePassword(stored, password))) return 'wrong'
  verified.set(digest, true)
  return 'right'
}
