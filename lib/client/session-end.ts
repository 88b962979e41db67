/* A change that finds nobody signed in waits for the user to sign in again in place, and is then sent once more. */

const listeners = new Set<() => void>()
const waiting = new Set<(same: boolean) => void>()

/** Hears of a change that found nobody signed in. Gives what ends the listening. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells that the session has ended. Resolves with whether the same user signs in next. */
export function untilSignedInAgain(): Promise<boolean> {
  for (const listener of listeners) listener()
  return new Promise((resolve) => waiting.add(resolve))
}

/** Somebody has signed in: the same user as before, or another. */
export function signedInAgain(same: boolean): void {
  for (const resolve of waiting) resolve(same)
  waiting.clear()
}
