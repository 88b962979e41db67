import type { QueryClient } from '@tanstack/react-query'
import { createQueryClient, type HearRefusal } from '#lib/client/query-client'
import { presentSession } from '#lib/client/waiting'

/* The caches of past moments. The past does not change, so steps back to a moment cost nothing. */

/** So many moments are kept. */
const MOST = 8

const clients = new Map<string, QueryClient>()
const presents = new WeakMap<QueryClient, QueryClient>()

/** The client whose queries read what was at the moment, beside the client `present`, or a past one beside that; without a moment `present`. */
export function clientAt(
  moment: string | undefined,
  present: QueryClient,
  hearRefusal: HearRefusal,
): QueryClient {
  if (moment === undefined) return present
  const now = presentOf(present)
  const { user, viewer } = presentSession()
  const key = `${user} ${viewer} ${moment}`
  const client = clients.get(key) ?? createQueryClient((_, refusal) => hearRefusal(now, refusal), moment)
  clients.delete(key)
  clients.set(key, client)
  presents.set(client, now)
  const [oldest] = clients.keys()
  if (clients.size > MOST && oldest !== undefined) clients.delete(oldest)
  return client
}

/** The client of the present, also on a screen that shows the past. */
export const presentOf = (client: QueryClient): QueryClient => presents.get(client) ?? client
