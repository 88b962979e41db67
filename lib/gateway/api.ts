import { setTimeout as delay } from 'node:timers/promises'
import type { Refusal, Translation } from '#lib/gateway/elements'
import type { Counter } from '#lib/gateway/listing'

/* The two operations of the API that a gateway uses (docs/gateway.md). */

export type Api = { url: string; token: string; device: number }

/**
 * Changes that are undone after these seconds unless they are confirmed. If they are too many to be listed, the gateway waits for the API.
 */
export type Unconfirmed = { seconds: number; added?: Translation[]; removed?: Translation[] }
type Waiting = { unconfirmed?: Unconfirmed }

/** The API's answer about a device: all translations, or the changes since a revision. */
export type Answer =
  | ({ kind: 'whole'; revision: number; entries: Translation[] } & Waiting)
  | ({ kind: 'change'; revision: number; added: Translation[]; removed: Translation[] } & Waiting)
  | { kind: 'nothing' }
  | { kind: 'unknown' }

export type State = {
  revision: number
  mode: 'enforce' | 'watch'
  interval: number
  translations: number
  drift: Refusal[]
  refused: Refusal[]
  counters: ({ rule: number } & Counter)[]
  agent: { name: string; version: string }
  formatVersion: number
}

/** The API answered with an error. */
export class ApiRefusal extends Error {
  readonly status: number
  constructor(status: number, what: string) {
    super(`${what}: ${status}`)
    this.status = status
  }
}

/** This program understands `natPortEnd` and `sources` of translations. The API leaves out what a program would carry wrongly. */
export const FORMAT_VERSION = 2

/** Seconds that the API may hold an answer back until something changes. */
const WAIT = 25
/** Milliseconds until an answer counts as lost, besides the wait. */
const PATIENCE = 30_000

type Asking = {
  path: string
  method?: 'GET' | 'PUT'
  body?: unknown
  type?: string
  signal: AbortSignal
  wait?: number
}

async function ask({ url, token }: Api, { path, method = 'GET', body, type, signal, wait = 0 }: Asking) {
  return fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Token ${token}`,
      accept: 'application/json',
      ...(type && { 'content-type': `application/vnd.service.${type}+json` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE + wait * 1000)]),
    redirect: 'error',
  })
}

type Collection<Item> = { collection: Item[] }

/** The path of the device below the API: the API has devices below their datacenters. Throws ApiRefusal. */
export async function findDevice(api: Api, signal: AbortSignal): Promise<string> {
  const answer = await ask(api, { path: '/cloud/locations?limit=0', signal })
  if (!answer.ok) throw new ApiRefusal(answer.status, 'the datacenters cannot be read')
  const { collection } = (await answer.json()) as Collection<{ id: number }>
  for (const { id } of collection) {
    const path = `/cloud/locations/${id}/devices/${api.device}`
    const found = await ask(api, { path, signal })
    await found.body?.cancel()
    if (found.ok) return path
  }
  throw new ApiRefusal(404, `there is no device ${api.device}`)
}

type Document = Waiting & {
  revision: number
  entries?: Translation[]
  added?: Translation[]
  removed?: Translation[]
}

/** Waits for a newer revision than `since`. Throws ApiRefusal, and the errors of fetch. */
export async function pull(
  api: Api,
  { path, since, signal }: { path: string; since: number | undefined; signal: AbortSignal },
): Promise<Answer> {
  const changes = since === undefined ? '' : `&since=${since}&wait=${WAIT}`
  const query = `?formatVersion=${FORMAT_VERSION}${changes}`
  const answer = await ask(api, { path: `${path}/translations${query}`, signal, wait: WAIT })
  if (answer.status === 304 || answer.status === 410) await answer.body?.cancel()
  if (answer.status === 304) return { kind: 'nothing' }
  if (answer.status === 410) return { kind: 'unknown' }
  if (!answer.ok) throw new ApiRefusal(answer.status, 'the translations cannot be read')
  const { entries, added = [], removed = [], ...rest } = (await answer.json()) as Document
  return entries ? { kind: 'whole', entries, ...rest } : { kind: 'change', added, removed, ...rest }
}

/** The counters of the last report. Empty if there was no report, or if it cannot be read. */
export async function pastCounters(
  api: Api,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<State['counters']> {
  const answer = await ask(api, { path: `${path}/state`, signal })
  if (answer.ok) return ((await answer.json()) as Partial<State>).counters ?? []
  await answer.body?.cancel()
  return []
}

/** Throws ApiRefusal, and the errors of fetch. */
export async function report(
  api: Api,
  { path, state, signal }: { path: string; state: State; signal: AbortSignal },
): Promise<void> {
  const answer = await ask(api, {
    path: `${path}/state`,
    method: 'PUT',
    body: state,
    type: 'devicestate',
    signal,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new ApiRefusal(answer.status, 'the state cannot be reported')
}

/** Ends early, without an error, when the signal comes. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(Math.max(0, ms), undefined, { signal }).catch(() => {})
