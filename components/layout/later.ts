import { type ReactNode, useDeferredValue } from 'react'

/** What is much to draw: what is around it is shown first, with `before` in its place. */
export function Later({ before = null, children }: { before?: ReactNode; children: ReactNode }) {
  const isItsTurn = useDeferredValue(true, false)
  return isItsTurn ? children : before
}
