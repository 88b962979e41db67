import { randomBytes, randomUUID } from 'node:crypto'
import { env } from '#lib/ground/env.server'
import { exactBytes } from '#lib/ground/keys/base64.server'
import { isSigned, sign } from '#lib/ground/keys/keys.server'

/**
 * A sign-in and the chain of tokens that follow from it. `id` names the chain; `began` (epoch milliseconds) limits its lifetime. The
 * chain ends when the user's epoch advances beyond `epoch`. `grant` is the id of the OAuth access token that began the chain, if any:
 * the chain has no more privileges than the grant, and ends with it.
 */
export type Session = { id: string; userId: number; epoch: number; began: number; grant?: number }

export const newSession = (userId: number, epoch: number): Session => ({
  id: randomBytes(16).toString('base64url'),
  userId,
  epoch,
  began: Date.now(),
})

export const sessionEnd = (session: Session): number => session.began + env().SESSION_MAX_SECONDS * 1000

/** A new token of the session, and when it expires (epoch milliseconds). */
export function issueToken(session: Session): { token: string; expires: number } {
  const expires = Math.min(Date.now() + env().TOKEN_TTL_SECONDS * 1000, sessionEnd(session))
  // 48 random bits. Node has a pool of UUIDs: randomBytes takes 2.5 µs.
  const nonce = randomUUID().slice(0, 13)
  const { id, userId, epoch, began, grant } = session
  const payload = `${id}.${userId}.${epoch}.${began}.${expires}.${nonce}${grant === undefined ? '' : `.${grant}`}`
  const body = Buffer.from(payload).toString('base64url')
  return { token: `${body}.${sign('token', body).toString('base64url')}`, expires }
}

/** The session of a token; null if the token is forged, truncated or expired. */
export function readToken(token: string): Session | null {
  const [body = '', mac = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const signature = exactBytes(mac, 'base64url')
  if (!signature || !isSigned('token', body, signature)) return null
  const [id = '', ...numbers] = Buffer.from(body, 'base64url').toString().split('.')
  const [userId, epoch, began, expires, , grant] = numbers
  const session = {
    id,
    userId: Number(userId),
    epoch: Number(epoch),
    began: Number(began),
    ...(grant !== undefined && { grant: Number(grant) }),
  }
  return Number(expires) > Date.now() && sessionEnd(session) > Date.now() ? session : null
}
