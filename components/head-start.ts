import type { QueryClient } from '@tanstack/react-query'
import { componentMessages } from '#components/layout/component-messages'
import { endSession, sessionQuery } from '#lib/auth/session.queries'
import { preferencesQuery } from '#lib/preferences/preferences.queries'
import { speechFor } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'

/** The screen is asked for by the frame, so that the build need not give the screen a copy of what the frame contains. */
async function loadFrame(): Promise<void> {
  const { loadScreen } = await import('./signed-in')
  await loadScreen(location.pathname)
}

/**
 * Loads everything that the first screen needs at once, instead of one after the other. The document says whether the browser sent a
 * session, because scripts cannot see its cookie.
 */
export async function headStart(client: QueryClient): Promise<void> {
  if (document.body.dataset.session === undefined) return endSession(client)
  const session = client.fetchQuery(sessionQuery).catch(() => undefined)
  // The component that needs it loads it again after a failure, and shows the failure.
  void loadFrame().catch(() => undefined)
  const user = await session
  if (!user) return
  const { language } = speechFor(user.locale)
  void Promise.allSettled([
    client.prefetchQuery(preferencesQuery),
    dictionaryOf('console', language),
    componentMessages(language),
  ])
}
