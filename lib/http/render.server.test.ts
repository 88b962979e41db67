import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { renderListing } from '#lib/http/render.server'

async function* pieces(count: number) {
  for (let id = 1; id <= count; id += 1) yield [{ id, links: [] }]
}

test('others are answered between the pieces of a list, though each is there as soon as it is asked for', async () => {
  let others = 0
  let isReading = true
  const asking = (async () => {
    for (; isReading; others += 1) await setImmediate()
  })()
  const listing = { links: [], totalSize: 30, collection: pieces(30) }
  const rendering = { name: 'scopes', syntax: 'json', base: 'http://127.0.0.1' } as const
  const text = await new Response(renderListing(listing, rendering)).text()
  isReading = false
  await asking
  expect(JSON.parse(text).collection).toHaveLength(30)
  expect(others).toBeGreaterThanOrEqual(30)
})
