import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ownDatabase } from '#lib/tools/testing/own-database'
import { daily, search, searchTime } from '#lib/tools/testing/search'

test('no generated request of the API description causes a fault, hangs, or reveals internals', {
  timeout: searchTime(120_000),
}, async () => {
  const { numRuns, seed = daily() } = search(1500)
  const { DATA_DIR, DATABASE_URL = '' } = await ownDatabase()
  const fuzzing = spawn(
    process.execPath,
    ['lib/tools/scripts/run.js', 'fuzz', '--requests', String(numRuns), '--seed', String(seed)],
    {
      env: { ...process.env, DATA_DIR, DATABASE_URL },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const [said, complained] = await Promise.all([
    text(fuzzing.stdout),
    text(fuzzing.stderr),
    once(fuzzing, 'exit'),
  ])
  expect(complained).toBe('')
  expect(said).toMatch(new RegExp(`^${numRuns} requests, seed ${seed}`))
})
