/* When the user was last seen to do something, in any tab. What the page asks by itself keeps no session alive. */

let lastTouch = Date.now()

/** Seconds since the user touched a page of the console. */
export const idleSeconds = (): number => Math.max(0, Math.floor((Date.now() - lastTouch) / 1000))

/** Whether the user did anything after that moment (epoch milliseconds). */
export const wasTouchedSince = (moment: number): boolean => lastTouch > moment

/** The user did something, here or in another tab. */
export function noteTouch(at: number = Date.now()): void {
  lastTouch = Math.max(lastTouch, at)
}

const touches = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Watches for touches; `tell` hears of one in a second at most. */
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
