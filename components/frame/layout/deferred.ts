import { type ReactNode, useDeferredValue } from 'react'

/** Renders expensive children after everything around them; shows `before` until then. */
export function Deferred({ before = null, children }: { before?: ReactNode; children: ReactNode }) {
  const isReady = useDeferredValue(true, false)
  return isReady ? children : before
}
