import { useSyncExternalStore } from 'react'
import type { Message, ToastTexts } from './toast-region'

type Parts = typeof import('./overlays')

let parts: Parts | undefined
const listeners = new Set<() => void>()

/** What was done, at the bottom left for 6 seconds; the pointer or the focus on it stops the clock. */
export function toast(message: Message): void {
  const show = (loaded: Parts) => {
    parts = loaded
    for (const listener of listeners) listener()
    loaded.show(message)
  }
  // Where the file cannot be loaded the screen stays as it is.
  import('./overlays').then(show, () => undefined)
}

/** Another screen opens: its user has seen what failed before. */
export const closeStaying = (): void => parts?.closeStaying()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of the messages, once there was one. */
export function Toasts(texts: ToastTexts) {
  const Region = useSyncExternalStore(
    subscribe,
    () => parts?.ToastRegion,
    () => undefined,
  )
  return Region && <Region {...texts} />
}
