import { useLayoutEffect } from 'react'

/* A letter that is typed before a dialog or a screen is there is meant for it, and must not act as a shortcut. */

/** In milliseconds. Nobody types ahead for longer, and shortcuts work again. */
const longestHold = 5000

const holds = new Set<symbol>()

/** Letters are no shortcuts until the returned function is called. */
export function holdKeys(): () => void {
  const hold = Symbol('hold')
  const release = () => {
    clearTimeout(timer)
    holds.delete(hold)
  }
  const timer = setTimeout(release, longestHold)
  holds.add(hold)
  return release
}

export const areKeysHeld = (): boolean => holds.size > 0

/** While what the user opened is not there yet. */
export const useHeldKeys = (isOpening: boolean): void =>
  useLayoutEffect(() => (isOpening ? holdKeys() : undefined), [isOpening])
