import { hashPassword } from '#lib/caller/auth/passwords.server'

/** As many as may be under way at once. */
const AT_ONCE = 64

/** Runs the work while the limit of hashes is reached: a request that hashes a password is refused with 503, whatever the load. */
export async function withoutHashes<T>(work: () => Promise<T>): Promise<T> {
  let isDone = false
  const hashOnAndOn = async () => {
    while (!isDone) await hashPassword('a password')
  }
  const hashes = Promise.allSettled(Array.from({ length: AT_ONCE }, hashOnAndOn))
  try {
    return await work()
  } finally {
    isDone = true
    await hashes
  }
}
