import type { QueryClient } from '@tanstack/react-query'
import { endSession, sessionQuery } from '#lib/caller/auth/session.queries'
import { preferencesQuery } from '#lib/caller/preferences/preferences.queries'
import { type Speech, speechFor } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'

/** The frame requests the screen, so the build does not put a copy of the frame's code into the screen's file. */
async function loadFrame(): Promise<void> {
  const { loadScreen } = await import('./signed-in')
  await loadScreen(location.pathname)
}

/**
 * Loads everything that the first screen needs in parallel, and returns the first words. The document has a flag for a session, because
 * scripts cannot see the cookie. The language is guessed from the browser, which is right for most users.
 */
export function headStart(client: QueryClient, { language }: Speech): ReturnType<typeof dictionaryOf> {
  if (document.body.dataset.session === undefined) {
    endSession(client)
    return dictionaryOf('entrance', language)
  }
  // The component that needs something loads it again after a failure, and shows the failure.
  void Promise.allSettled([loadFrame(), loadAccount(client)])
  return dictionaryOf('console', language)
}

async function loadAccount(client: QueryClient): Promise<void> {
  const user = await client.fetchQuery(sessionQuery)
  if (!user) return
  const { language } = speechFor(user.locale)
  await Promise.allSettled([client.prefetchQuery(preferencesQuery), dictionaryOf('console', language)])
}
