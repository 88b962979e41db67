import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { CallsButton } from '#components/base/forms/calls-button'
import type { Call } from '#lib/client/calls'

/** Screens without operations that a program may call. */
const without = /^\/(account(\/(?!tokens).*)?|help.*|api|oauth.*|session.*)$/

/** At the head of a screen: the requests of its lists and documents. */
export function ScreenCalls({ isBare }: { isBare: boolean }) {
  const client = useQueryClient()
  const { pathname } = useLocation()
  if (without.test(pathname)) return null
  return <CallsButton look="quiet" isBare={isBare} find={() => callsOn(client, pathname)} />
}

async function callsOn(client: QueryClient, screen: string): Promise<Call[]> {
  const { callsOfScreen } = await import('./calls-of-screen')
  return callsOfScreen(client, screen)
}
