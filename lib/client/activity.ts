/* The user's last activity in any tab. Requests that the page sends by itself do not keep the session alive. */

let lastTouch = Date.now()

/** Seconds since the last activity. */
export const idleSeconds = (): number => Math.max(0, Math.floor((Date.now() - lastTouch) / 1000))

/** Whether the user was active after a moment (epoch milliseconds). */
export const wasTouchedSince = (moment: number): boolean => lastTouch > moment

/** Notes an activity, here or in another tab. */
export function noteTouch(at: number = Date.now()): void {
  lastTouch = Math.max(lastTouch, at)
}

const touches = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Watches for activity; calls `tell` at most once a second. */
export function watchTouches(tell: (at: number) => void): () => void {
  const touch = () => {
    const now = Date.now()
    if (now - lastTouch < 1000) return
    noteTouch(now)
    tell(now)
  }
  const options = { capture: true, passive: true }
  for (const name of touches) window.addEventListener(name, touch, options)
  return () => {
    for (const name of touches) window.removeEventListener(name, touch, options)
  }
}
