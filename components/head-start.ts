import type { QueryClient } from '@tanstack/react-query'
import { componentMessages } from '#components/layout/component-messages'
import { sessionQuery } from '#lib/auth/session.queries'
import { preferencesQuery } from '#lib/preferences/preferences.queries'
import { speechFor } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'
import { screens } from './routes'

const loadSignedIn = () => import('#components/layout/signed-in')

/**
 * Asks at once for what the first screen needs, each of which would else be found missing after the one before. The
 * document says whether a session came with the browser: scripts cannot see its cookie.
 */
export async function headStart(client: QueryClient): Promise<void> {
  const session = client.fetchQuery(sessionQuery).catch(() => undefined)
  if (document.body.dataset.session === undefined) return
  // What fails is asked for again by who needs it, and told there.
  void Promise.allSettled([loadSignedIn(), pageAt(location.pathname)])
  const user = await session
  if (!user) return
  const { language } = speechFor(user.locale)
  void Promise.allSettled([
    client.prefetchQuery(preferencesQuery),
    dictionaryOf('console', language),
    componentMessages(language),
  ])
}

const pageAt = (address: string) =>
  screens.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(address))?.page()
