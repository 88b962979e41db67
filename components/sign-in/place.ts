import { createContext, useContext, useSyncExternalStore } from 'react'
import { paths } from '#components/screens/paths'
import { safeReturnTo } from '#lib/http/return-to'

/* The few screens before the sign-in need no router: they look at the address themselves. */

/** What one screen hands over to the next. */
export type Handed = {
  nick?: string
  /** The address that the screen was opened from. */
  from?: string
  passwordSet?: boolean
}

/** Where the browser is. `token`: that of a mailed link. */
type Place = { path: string; token: string; handed: Handed }

/** The server mails links to it. */
export const newPasswordPath = '/new-password'

/** Where a program's request for access ends that has no address of its own. */
export const verifierPath = '/verifier'

const openPaths: readonly string[] = [paths.forgotPassword(), newPasswordPath, verifierPath]

const nowhere: Place = { path: '', token: '', handed: {} }
const PlaceContext = createContext(nowhere)
export const PlaceProvider = PlaceContext.Provider
export const usePlace = (): Place => useContext(PlaceContext)

let current: Place | undefined

function look(): Place {
  current ??= read()
  return current
}

function read(): Place {
  const { pathname, hash } = window.location
  const token = pathname === newPasswordPath ? hash.slice(1) : ''
  return { path: pathname, token, handed: window.history.state?.handed ?? {} }
}

/** The token is a key: it is to stay in no address bar and no history. */
function hideToken({ token }: Place): void {
  if (token !== '' && window.location.hash !== '') window.history.replaceState(null, '', newPasswordPath)
}

function watch(onMove: () => void): () => void {
  const moved = (event: PopStateEvent) => {
    current = read()
    hideToken(current)
    // The router of the screens behind the sign-in, which began to listen later, has none for these paths: it stays as it is.
    if (openPaths.includes(current.path)) event.stopImmediatePropagation()
    onMove()
  }
  hideToken(look())
  window.addEventListener('popstate', moved)
  return () => window.removeEventListener('popstate', moved)
}

/** For the entrance alone; the screens ask `usePlace`. */
export const useAddress = (): Place => useSyncExternalStore(watch, look)

/** The address to come back to. */
export const addressNow = (): string => safeReturnTo(window.location.pathname + window.location.search)

/** Where a sign-in that leaves the page is to lead back to. */
export function returnAddress(): string {
  const { pathname, search } = window.location
  return pathname === paths.signIn()
    ? safeReturnTo(new URLSearchParams(search).get('returnTo'))
    : addressNow()
}

/** Goes to another screen as the browser's own buttons do, for everybody who looks at the address. */
export function go(path: string, handed: Handed = {}): void {
  window.history.pushState({ handed }, '', path)
  arrive()
}

/** Like `go`, but there is no way back. */
export function goInstead(path: string, handed: Handed): void {
  window.history.replaceState({ handed }, '', path)
  arrive()
}

const arrive = (): void => {
  window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
}
