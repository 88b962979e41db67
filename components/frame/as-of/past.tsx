import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { useAsOf } from '#components/base/screens/as-of'
import { SessionProvider, useSession } from '#components/base/session/session'
import { AddressContext } from '#components/kit/address'
import type { Privilege } from '#lib/caller/auth/privileges'
import { hearRefusal } from '#lib/caller/auth/session.queries'
import { ApiFailure } from '#lib/client/api'
import { clientAt } from '#lib/client/past-client'
import { addressBeside } from './keep-moment'

/** Opens the time bar. */
export const TimeBarContext = createContext<() => void>(() => undefined)

export const useOpenTimeBar = () => useContext(TimeBarContext)

/** Its children show what was at the moment of the URL, or what is. */
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

/** A cache for past data, a session that may only read, so no screen can offer a change of the past, and links that keep the moment. */
function Past({ moment, children }: { moment: string; children: ReactNode }) {
  const session = useSession()
  const present = useQueryClient()
  const { search } = useLocation()
  const [client] = useState(() => clientAt(moment, present, hearRefusal))
  return (
    <QueryClientProvider client={client}>
      <SessionProvider
        session={{ ...session, isPast: true, privileges: session.privileges.filter(isReading) }}
      >
        <AddressContext value={(address) => addressBeside(address, search)}>{children}</AddressContext>
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** Why the API refuses the moment. */
const isRefusal = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && (error.has('ASOF-1') || error.has('ASOF-2'))

const MINUTE = 60_000

/** Why there is nothing to see at the moment of the URL. */
export function useMomentFault(): 'unreadable' | 'future' | 'tooOld' | undefined {
  const moment = useAsOf()
  const present = useQueryClient()
  const cache = clientAt(moment, present, hearRefusal).getQueryCache()
  const refused = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.getAll().find(({ state }) => isRefusal(state.error))?.state.error,
  )
  if (moment === undefined) return undefined
  const time = Date.parse(moment)
  if (Number.isNaN(time)) return 'unreadable'
  if (time > Date.now() + MINUTE || (isRefusal(refused) && refused.has('ASOF-1'))) return 'future'
  return isRefusal(refused) ? 'tooOld' : undefined
}
