import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { longTime } from '#components/base/screens/moments'
import { SessionProvider, useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Banner } from '#components/kit/frame'
import { Notice } from '#components/kit/notice'
import type { Privilege } from '#lib/caller/auth/privileges'
import { endSession } from '#lib/caller/auth/session.queries'
import { createQueryClient } from '#lib/client/query-client'

/** The moment of the URL. */
export const useAsOf = (): string | undefined => useSearchParams()[0].get('asof') ?? undefined

/** Shows the screen as it was while the URL has a moment. */
export function AsOf({ children }: { children: ReactNode }) {
  const moment = useAsOf()
  if (moment === undefined) return children
  return (
    <Past key={moment} moment={moment}>
      {children}
    </Past>
  )
}

const changes = /MANAGE|MODIFY|ADMINISTER|CUSTOMISE/

const isReading = (privilege: Privilege): boolean => !changes.test(privilege)

/** A cache for past data, and a session that may only read, so no screen can offer a change of the past. */
function Past({ moment, children }: { moment: string; children: ReactNode }) {
  const session = useSession()
  const [client] = useState(() => createQueryClient(endSession, moment))
  return (
    <QueryClientProvider client={client}>
      <SessionProvider session={{ ...session, privileges: session.privileges.filter(isReading) }}>
        <Moment moment={moment} />
        {children}
      </SessionProvider>
    </QueryClientProvider>
  )
}

function Moment({ moment }: { moment: string }) {
  const say = useTranslations('layout.asOf')
  const format = useFormatter()
  const [search, setSearch] = useSearchParams()
  const leave = () => {
    const now = new URLSearchParams(search)
    now.delete('asof')
    setSearch(now)
  }
  const time = Number.isNaN(Date.parse(moment)) ? moment : longTime(format, moment)
  return (
    <Banner>
      <Notice title={say('banner', { time })} action={<Button onPress={leave}>{say('back')}</Button>}>
        {say('about')}
      </Notice>
    </Banner>
  )
}
