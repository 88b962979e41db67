import { createContext, type MouseEvent, useContext, useSyncExternalStore } from 'react'
import { paths } from '#components/base/screens/paths'
import { safeReturnTo } from '#lib/ground/http/return-to'

/* The few screens before the sign-in read the address themselves and need no router. */

/** State that one screen passes to the next. */
export type Handed = {
  nick?: string
  /** The address that the screen was opened from. */
  from?: string
  passwordSet?: boolean
}

/** The current address. `token`: the one of a mailed link. */
type CurrentAddress = { path: string; token: string; handed: Handed }

/** The path of mailed links. */
export const newPasswordPath = '/new-password'

/** The path of invitations' links. */
export const invitationPath = '/invitation'

/** Paths whose fragment is a token. */
const linkPaths: readonly string[] = [newPasswordPath, invitationPath]

/** The last screen of an authorization whose program has no callback (`oob`). */
export const verifierPath = '/verifier'

const openPaths: readonly string[] = [paths.forgotPassword(), verifierPath, ...linkPaths]

const nowhere: CurrentAddress = { path: '', token: '', handed: {} }
const PlaceContext = createContext(nowhere)
export const PlaceProvider = PlaceContext.Provider
export const usePlace = (): CurrentAddress => useContext(PlaceContext)

let current: CurrentAddress | undefined

function look(): CurrentAddress {
  current ??= read()
  return current
}

function read(): CurrentAddress {
  const { pathname, hash } = window.location
  const token = linkPaths.includes(pathname) ? hash.slice(1) : ''
  return { path: pathname, token, handed: window.history.state?.handed ?? {} }
}

/** The token is a credential: it must not stay in the address bar or the history. */
function hideToken({ path, token }: CurrentAddress): void {
  if (token !== '' && window.location.hash !== '') window.history.replaceState(null, '', path)
}

function watch(onMove: () => void): () => void {
  const moved = (event: PopStateEvent) => {
    current = read()
    hideToken(current)
    // The router behind the sign-in listens later and has no screens for these paths. It does not get the event.
    if (openPaths.includes(current.path)) event.stopImmediatePropagation()
    onMove()
  }
  hideToken(look())
  window.addEventListener('popstate', moved)
  return () => window.removeEventListener('popstate', moved)
}

/** For `Entrance` only; the screens call `usePlace`. */
export const useAddress = (): CurrentAddress => useSyncExternalStore(watch, look)

/** The current address, to return to. */
export const addressNow = (): string => safeReturnTo(window.location.pathname + window.location.search)

/** The address to which a sign-in at a provider returns. */
export function returnAddress(): string {
  const { pathname, search } = window.location
  return pathname === paths.signIn()
    ? safeReturnTo(new URLSearchParams(search).get('returnTo'))
    : addressNow()
}

/** Goes to another screen and fires `popstate`, as the browser's buttons do. */
export function go(path: string, handed: Handed = {}): void {
  window.history.pushState({ handed }, '', path)
  arrive()
}

/** `onClick` of a link to another screen. The browser opens other tabs and windows. */
export const follow =
  (path: string, handed?: Handed) =>
  (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(path, handed)
  }

/** Like `go`, but replaces the entry of the history. */
export function goInstead(path: string, handed: Handed): void {
  window.history.replaceState({ handed }, '', path)
  arrive()
}

const arrive = (): void => {
  window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
}
