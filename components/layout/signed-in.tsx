import I18nProvider, { type I18nProviderProps } from '@cloudscape-design/components/i18n'
import { useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useState } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import type { SessionDocument } from '#lib/auth/session.schema'
import { flushPreferences } from '#lib/preferences/preferences.queries'
import { type Language, speechFor } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'
import { createRoutes } from './router'
import { SessionProvider } from './session'
import { SessionClock } from './session-clock'
import { Speaking } from './words'

type ComponentMessages = Promise<{ default: I18nProviderProps.Messages }>

const loadComponentMessages: Record<Language, () => ComponentMessages> = {
  en: () => import('@cloudscape-design/components/i18n/messages/all.en'),
  es: () => import('@cloudscape-design/components/i18n/messages/all.es'),
}
const asked = new Map<Language, ComponentMessages>()

function componentMessages(language: Language): ComponentMessages {
  const known = asked.get(language) ?? loadComponentMessages[language]()
  asked.set(language, known)
  return known
}

/** Everything behind the sign-in. */
export function SignedIn({ session }: { session: SessionDocument }) {
  const client = useQueryClient()
  const [router] = useState(() => createBrowserRouter(createRoutes(client)))
  useEffect(() => {
    const flush = () => void flushPreferences(client)
    window.addEventListener('pagehide', flush)
    return () => window.removeEventListener('pagehide', flush)
  }, [client])
  const speech = speechFor(session.locale)
  const dictionary = dictionaryOf('console', speech.language)
  const messages = use(componentMessages(speech.language)).default
  return (
    <Speaking speech={speech} dictionary={dictionary}>
      <I18nProvider locale={speech.locale} messages={[messages]}>
        <SessionProvider session={session}>
          <RouterProvider router={router} />
          <SessionClock />
        </SessionProvider>
      </I18nProvider>
    </Speaking>
  )
}
