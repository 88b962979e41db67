import I18nProvider from '@cloudscape-design/components/i18n'
import messages from '@cloudscape-design/components/i18n/messages/all.en'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import type { SessionDocument } from '#lib/auth/session.schema'
import { createRoutes } from './router'
import { SessionProvider } from './session'
import { SessionClock } from './session-clock'

/** Everything behind the sign-in. */
export function SignedIn({ session }: { session: SessionDocument }) {
  const client = useQueryClient()
  const [router] = useState(() => createBrowserRouter(createRoutes(client)))
  return (
    <I18nProvider locale="en" messages={[messages]}>
      <SessionProvider session={session}>
        <RouterProvider router={router} />
        <SessionClock />
      </SessionProvider>
    </I18nProvider>
  )
}
