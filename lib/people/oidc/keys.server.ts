import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'

/*
 * The keys with which the provider signs. A token with an unknown key id may be the first after a rotation, so the keys are fetched again.
 * Attackers can invent key ids, so each id causes one fetch in a while, and all ids together one fetch a second after a short burst. A
 * flood delays a new key by at most a second, because each fetch returns all keys.
 */

const FRESH_FOR = 10 * 60_000
const UNKNOWN_FOR = 10_000
const IN_A_ROW = 5
const ONE_MORE_EVERY = 1000

/** A token bucket: `IN_A_ROW` at once, then one a second. */
function newBucket(): () => boolean {
  let left = IN_A_ROW
  let filled = Date.now()
  return () => {
    // A clock may be set back.
    filled = Math.min(filled, Date.now())
    const more = Math.floor((Date.now() - filled) / ONE_MORE_EVERY)
    left = Math.min(IN_A_ROW, left + more)
    filled += more * ONE_MORE_EVERY
    if (left < 1) return false
    left -= 1
    return true
  }
}

export function keysAt(address: string, timeout: number): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(address), {
    timeoutDuration: timeout,
    // Unknown keys are fetched by the rate limit below, not by the library.
    cooldownDuration: FRESH_FOR,
    cacheMaxAge: FRESH_FOR,
  })
  const unknown = new LRUCache<string, true>({ max: 1000, ttl: UNKNOWN_FOR, perf: { now: () => Date.now() } })
  const mayFetch = newBucket()
  return async (header, token) => {
    const name = header.kid?.slice(0, 200) ?? ''
    try {
      return await remote(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // Requests that arrive while the keys are being fetched wait for them.
      if (!remote.reloading && (unknown.has(name) || !mayFetch())) throw error
      await remote.reload()
    }
    try {
      return await remote(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) unknown.set(name, true)
      throw error
    }
  }
}
