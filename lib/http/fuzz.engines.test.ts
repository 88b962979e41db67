import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ownDatabase } from '#lib/testing/own-database'

test('no generated request of the API description causes a fault, hangs, or reveals internals', {
  timeout: 120_000,
}, async () => {
  const { DATA_DIR, DATABASE_URL = '' } = await ownDatabase()
  const fuzzing = spawn(
    process.execPath,
    ['lib/scripts/run.js', 'fuzz', '--requests', '1500', '--seed', '7'],
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
  expect(said).toMatch(/^1500 requests, seed 7/)
})
