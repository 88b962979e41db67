/** Calls wait here for something that the user does on the screen, and go on with how it ended. */
export function createWaiting() {
  const listeners = new Set<() => void>()
  const waiting = new Set<(answer: boolean) => void>()
  return {
    /** Hears that a call waits. Gives what ends the listening. */
    listen(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
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
