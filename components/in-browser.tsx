import { type ReactNode, useSyncExternalStore } from 'react'

const never = () => () => undefined

/** The server sends an empty page; its content starts in the browser, once the page is hydrated. */
export function InBrowser({ children }: { children: ReactNode }) {
  const isBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return isBrowser ? children : null
}
