import './frame.gathered'
import I18nProvider from '@cloudscape-design/components/i18n'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { componentMessages } from '#components/layout/component-messages'
import { Speaking } from '#components/screens/words'
import { SessionProvider } from '#components/session/session'
import { SessionClock } from '#components/session/session-clock'
import type { SessionDocument } from '#lib/auth/session.schema'
import { flushPreferences } from '#lib/preferences/preferences.queries'
import { speechFor } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'
import { createRoutes } from './router'

/** Everything behind the sign-in. */
export function SignedIn({ session, children }: { session: SessionDocument; children: ReactNode }) {
  const speech = speechFor(session.locale)
  const dictionary = dictionaryOf('console', speech.language)
  const messages = use(componentMessages(speech.language)).default
  return (
    <Speaking speech={speech} dictionary={dictionary}>
      <I18nProvider locale={speech.locale} messages={[messages]}>
        <SessionProvider session={session}>
          <Screens />
          <SessionClock />
          {children}
        </SessionProvider>
      </I18nProvider>
    </Speaking>
  )
}

/** Inside of all that can suspend: a router that is made begins to fetch. */
function Screens() {
  const client = useQueryClient()
  const [router] = useState(() => createBrowserRouter(createRoutes(client)))
  useEffect(() => {
    const flush = () => void flushPreferences(client)
    window.addEventListener('pagehide', flush)
    return () => window.removeEventListener('pagehide', flush)
  }, [client])
  const isOpen = useSyncExternalStore(router.subscribe, () => router.state.initialized)
  // The first screen is drawn in slices. From then on the next key or click finds what the address says already, for a
  // table keeps its state there.
  return <RouterProvider router={router} {...(isOpen && { useTransitions: false })} />
}
