import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

export type Message = {
  /** A failure and a warning stay; the others leave. */
  kind?: 'good' | 'info' | 'warn' | 'bad'
  title?: ReactNode
  text: ReactNode
  /** Buttons and links: undo, open. */
  actions?: ReactNode
}

export type ToastTexts = { label: string; closeLabel: string }

const parts = () => import('./overlays')
const Region = lazy(async () => ({ default: (await parts()).ToastRegion }))

let isUsed = false
const listeners = new Set<() => void>()

/** What was done, at the bottom left for 6 seconds; the pointer or the focus on it stops the clock. */
export function toast(message: Message): void {
  isUsed = true
  for (const listener of listeners) listener()
  void parts().then(({ show }) => show(message))
}

/** Another screen opens: its user has seen what failed before. */
export function closeStaying(): void {
  if (isUsed) void parts().then((region) => region.closeStaying())
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
