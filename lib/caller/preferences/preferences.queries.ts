import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import type { PreferencesDocument } from '#lib/caller/preferences/preferences.schema'
import { ApiFailure, api } from '#lib/client/api'
import { presentOf } from '#lib/client/past-client'
import { pathKey } from '#lib/client/resources.queries'
import { presentSession } from '#lib/client/waiting'

const preferencesPath = '/api/session/preferences'

type Preferences = PreferencesDocument['properties']

/** Nobody sees the preferences of another user, nor changes them. */
const isInView = (): boolean => presentSession().viewer !== undefined

/** The user's preferences on all devices: texts by name. */
export const preferencesQuery = queryOptions({
  queryKey: pathKey(preferencesPath),
  queryFn: async ({ signal }): Promise<Preferences> =>
    isInView()
      ? {}
      : (await api<PreferencesDocument>(preferencesPath, { signal, meta: undefined })).properties,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** A preference of this user, and a setter. An empty text removes the preference. */
export function usePreference(name: string): [kept: string | undefined, keep: (value: string) => void] {
  const client = presentOf(useQueryClient())
  const { data } = useQuery({ ...preferencesQuery, select: (preferences) => preferences[name] }, client)
  return [data, (value) => keepPreferences(client, { [name]: value })]
}

/** A stored JSON text. Invalid values count as absent. */
export function parseKept<T>(schema: z.ZodType<T>, kept: string | undefined): T | undefined {
  if (kept === undefined) return
  try {
    return schema.safeParse(JSON.parse(kept)).data
  } catch {
    return
  }
}

const SECOND = 1000
const pause = 0.6 * SECOND
const pauseAfterFailure = 30 * SECOND

/** Preferences that are not sent yet, and their user. */
type Unsent = { changes: Preferences; user: number | undefined; timer?: ReturnType<typeof setTimeout> }

const unsent = new WeakMap<QueryClient, Unsent>()

const userOf = (client: QueryClient): number | undefined => client.getQueryData(sessionQuery.queryKey)?.id

const merged = (before: Preferences = {}, changes: Preferences): Preferences =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''))

/**
 * Stores a preference; an empty text removes it. The screen changes at once, and the server is updated after a pause. A failed update is
 * sent again with the next one.
 */
export function keepPreferences(client: QueryClient, changes: Preferences): void {
  client.setQueryData(preferencesQuery.queryKey, (before) => merged(before, changes))
  if (isInView()) return
  const user = userOf(client)
  const waiting = unsent.get(client)
  const own = waiting && waiting.user === user ? waiting : { changes: {}, user }
  clearTimeout(waiting?.timer)
  sendLater(client, { ...own, changes: { ...own.changes, ...changes } }, pause)
}

/** Sends unsent preferences at once, because the page is about to close. */
export const flushPreferences = (client: QueryClient): Promise<void> => send(client, true)

function sendLater(client: QueryClient, waiting: Unsent, after: number): void {
  unsent.set(client, { ...waiting, timer: setTimeout(() => void send(client), after) })
}

async function send(client: QueryClient, keepalive = false): Promise<void> {
  const waiting = unsent.get(client)
  if (!waiting) return
  clearTimeout(waiting.timer)
  unsent.delete(client)
  if (waiting.user !== userOf(client)) return
  try {
    const body = { properties: waiting.changes }
    await api<PreferencesDocument>(preferencesPath, { method: 'PUT', body, keepalive })
  } catch (error) {
    if (isForGood(error)) return void client.invalidateQueries({ queryKey: preferencesQuery.queryKey })
    const since = unsent.get(client)
    clearTimeout(since?.timer)
    const changes = { ...waiting.changes, ...since?.changes }
    sendLater(client, { user: waiting.user, changes }, since ? pause : pauseAfterFailure)
  }
}

/** The server would refuse a retry as well. */
const isForGood = (error: unknown): boolean =>
  !(error instanceof ApiFailure) || (error.status >= 400 && error.status < 500 && error.status !== 429)
