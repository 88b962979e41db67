import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import {
  flushPreferences,
  keepPreferences,
  preferencesQuery,
} from '#lib/caller/preferences/preferences.queries'

const sent: unknown[] = []
let client: QueryClient

/** The server answers each call with the next of these. */
function serve(...answers: (() => Response | Promise<Response>)[]): void {
  vi.stubGlobal('fetch', async (_path: string, init?: RequestInit) => {
    if (init?.body) sent.push(JSON.parse(String(init.body)).properties)
    const answer = answers.shift()
    if (!answer) throw new TypeError('nobody there')
    return answer()
  })
}

const kept = () => Response.json({ links: [], properties: {} })
const lost = (): Promise<Response> => Promise.reject(new TypeError('no network'))
const shown = () => client.getQueryData(preferencesQuery.queryKey)

function signInAs(id: number): void {
  client.setQueryData([...sessionQuery.queryKey], { id })
}

beforeEach(() => {
  vi.useFakeTimers()
  sent.length = 0
  client = new QueryClient()
  client.setQueryData(preferencesQuery.queryKey, { a: '1', gone: 'x' })
  signInAs(1)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('choices show at once and go to the server together, after a pause', async () => {
  serve(kept)
  keepPreferences(client, { a: '2' })
  keepPreferences(client, { b: '3', gone: '' })
  expect(shown()).toEqual({ a: '2', b: '3' })
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([{ a: '2', b: '3', gone: '' }])
})

test('a change that the server could not take is sent later, and the screen keeps the choice', async () => {
  serve(lost, kept)
  keepPreferences(client, { a: '2' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(shown()).toMatchObject({ a: '2' })
  keepPreferences(client, { b: '3' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([{ a: '2' }, { a: '2', b: '3' }])
})

test('without another choice it is tried again after a while', async () => {
  serve(lost, kept)
  keepPreferences(client, { a: '2' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([{ a: '2' }, { a: '2' }])
})

test('a refused change is not sent again', async () => {
  serve(() => Response.json({ links: [], collection: [] }, { status: 400 }), kept)
  keepPreferences(client, { a: '2' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([{ a: '2' }])
})

test('the choices of one user are not sent as those of the next', async () => {
  serve(kept)
  keepPreferences(client, { a: '2' })
  signInAs(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
})

test('a closing page sends its pending changes', async () => {
  serve(kept)
  keepPreferences(client, { a: '2' })
  await flushPreferences(client)
  expect(sent).toEqual([{ a: '2' }])
})
