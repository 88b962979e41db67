/** Requests wait here until the user has answered on the screen. */
function createWaiting() {
  const listeners = new Set<() => void>()
  const waiting = new Set<(answer: boolean) => void>()
  return {
    /** Calls the listener when a request begins to wait. Returns the function that ends the listening. */
    listen(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Resolves with the answer: whether to send the request again. */
    wait(): Promise<boolean> {
      return new Promise((resolve) => {
        waiting.add(resolve)
        for (const listener of listeners) listener()
      })
    },
    answer(value: boolean): void {
      for (const resolve of waiting) resolve(value)
      waiting.clear()
    },
  }
}

/** A request that needs a proof of identity waits for the dialog that asks for it, and is then sent once more. */
export const proof = createWaiting()

/** A change whose session has ended waits for the user to sign in again in place, and is then sent once more. */
export const newSession = createWaiting()

/**
 * The session that this page knows: another object after each answer about it. `viewer`: the user who is signed in, if the session shows
 * what another user sees.
 */
let present: { user: number | undefined; viewer?: number | undefined } = { user: undefined }

export const presentSession = (): Readonly<typeof present> => present

export function noteSession(user: number, viewer?: number): void {
  present = { user, viewer }
}
