import type { QueryClient } from '@tanstack/react-query'
import { componentMessages } from '#components/layout/component-messages'
import { sessionQuery } from '#lib/auth/session.queries'
import { preferencesQuery } from '#lib/preferences/preferences.queries'
import { speechFor } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'
import { pages } from './routes'

const loadSignedIn = () => import('./signed-in')

/**
 * Loads everything that the first screen needs at once, instead of one after the other. The document says whether the browser sent a
 * session, because scripts cannot see its cookie.
 */
export async function headStart(client: QueryClient): Promise<void> {
  const session = client.fetchQuery(sessionQuery).catch(() => undefined)
  if (document.body.dataset.session === undefined) return
  // The component that needs it loads it again after a failure, and shows the failure.
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

// Without `matchPath`: the first script has no router.
const pageAt = (address: string) =>
  Object.entries(pages).find(([path]) =>
    new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(address),
  )?.[1]()
