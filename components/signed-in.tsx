// Most screens have a table: with the frame it is one file less to wait for.
import '#components/table/server-table'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { createBrowserRouter, matchPath } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Speaking } from '#components/base/screens/words'
import { FocusKeeper } from '#components/base/session/focus-keeper'
import { SessionProvider } from '#components/base/session/session'
import { SessionClock } from '#components/base/session/session-clock'
import { keepMoment } from '#components/frame/as-of/keep-moment'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { flushPreferences } from '#lib/caller/preferences/preferences.queries'
import { speechFor } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'
import { createRoutes } from './router'
import { pages } from './routes'

export function SignedIn({ session, children }: { session: SessionDocument; children: ReactNode }) {
  const speech = speechFor(session.locale)
  const dictionary = dictionaryOf('console', speech.language)
  return (
    <Speaking speech={speech} dictionary={dictionary}>
      <SessionProvider session={session}>
        <Screens />
        <SessionClock />
        {children}
        <FocusKeeper />
      </SessionProvider>
    </Speaking>
  )
}

/** Inside of everything that can suspend, because a new router starts to fetch at once. */
function Screens() {
  const client = useQueryClient()
  const [router] = useState(() => keepMoment(createBrowserRouter(createRoutes(client))))
  useEffect(() => {
    const flush = () => void flushPreferences(client)
    window.addEventListener('pagehide', flush)
    return () => window.removeEventListener('pagehide', flush)
  }, [client])
  const isOpen = useSyncExternalStore(router.subscribe, () => router.state.initialized)
  // The first screen renders as a transition. Later changes render at once, because tables keep their state in the address.
  return <RouterProvider router={router} useTransitions={isOpen ? false : undefined} />
}

/** Begins to load the screen at this address. The router asks for it later, once it has rendered. */
export const loadScreen = (address: string) =>
  Object.entries(pages).find(([path]) => matchPath(path, address))?.[1]()
