import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { renderListing } from '#lib/ground/http/render.server'

async function* pieces(count: number) {
  for (let id = 1; id <= count; id += 1) yield [{ id, links: [] }]
}

test('other requests run between the chunks of a list, even if each chunk is ready at once', async () => {
  let others = 0
  let isReading = true
  const competing = (async () => {
    for (; isReading; others += 1) await setImmediate()
  })()
  const listing = { links: [], totalSize: 30, collection: pieces(30) }
  const rendering = { name: 'scopes', syntax: 'json', base: 'http://127.0.0.1' } as const
  const text = await new Response(renderListing(listing, rendering)).text()
  isReading = false
  await competing
  expect(JSON.parse(text).collection).toHaveLength(30)
  expect(others).toBeGreaterThanOrEqual(30)
})
