import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Message, ToastTexts } from './toast-region'

const parts = () => import('./overlays')
const Region = lazy(async () => ({ default: (await parts()).ToastRegion }))

let isUsed = false
const listeners = new Set<() => void>()

/** What was done, at the bottom left for 6 seconds; the pointer or the focus on it stops the clock. */
export function toast(message: Message): void {
  const show = (region: Awaited<ReturnType<typeof parts>>) => {
    isUsed = true
    for (const listener of listeners) listener()
    region.show(message)
  }
  // Where the file cannot be loaded the screen stays as it is.
  parts().then(show, () => undefined)
}

/** Another screen opens: its user has seen what failed before. */
export function closeStaying(): void {
  if (isUsed)
    parts().then(
      (region) => region.closeStaying(),
      () => undefined,
    )
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of the messages, once there was one. */
export const Toasts = (texts: ToastTexts) =>
  useSyncExternalStore(
    subscribe,
    () => isUsed,
    () => false,
  ) && (
    <Suspense>
      <Region {...texts} />
    </Suspense>
  )
