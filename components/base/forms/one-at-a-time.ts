import { useState } from 'react'

/** Runs one call at a time; a call that begins before the last one has ended is ignored. */
export function oneAtATime(): (run: () => Promise<unknown>) => void {
  let isRunning = false
  return (run) => {
    if (isRunning) return
    isRunning = true
    const end = () => {
      isRunning = false
    }
    run().then(end, end)
  }
}

/**
 * The guard of every form and button that changes something. Two submits in the same task see the same rendering, so `isPending` is
 * false for both. The promise ends the guard, because callbacks of a mutation are not called while the screen is hidden.
 */
export const useOneAtATime = () => useState(oneAtATime)[0]
