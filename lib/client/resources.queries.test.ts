import { focusManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { collectionQuery, resourceQuery } from '#lib/client/resources.queries'

afterEach(() => {
  vi.unstubAllGlobals()
  focusManager.setFocused(undefined)
})

const idle = () => new Promise((resolve) => setImmediate(resolve))

/** How often a query on the screen is sent if its window is left and looked at again, after it has become stale. */
async function sentAfterFocus(show: (client: QueryClient) => () => void) {
  const fetched = vi.fn(async () => Response.json({ collection: [] }))
  vi.stubGlobal('fetch', fetched)
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 0 } } })
  client.mount()
  const hide = show(client)
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), 15_000)
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  await idle()
  hide()
  client.unmount()
  return fetched.mock.calls.length
}

test('the rows of a list stay when its window gets the focus again; a single resource is read again', async () => {
  const list = (client: QueryClient) =>
    new QueryObserver(client, collectionQuery('/api/admin/roles')).subscribe(() => undefined)
  const one = (client: QueryClient) =>
    new QueryObserver(client, resourceQuery('/api/admin/roles/1')).subscribe(() => undefined)
  expect(await sentAfterFocus(list)).toBe(1)
  expect(await sentAfterFocus(one)).toBe(2)
})
