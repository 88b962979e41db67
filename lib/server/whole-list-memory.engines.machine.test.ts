import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ownDatabase } from '#lib/tools/testing/own-database'

test('the memory of a whole list is bounded: 40,000 items go through a heap that holds a fraction of them', {
  timeout: 180_000,
}, async () => {
  const { DATA_DIR, DATABASE_URL = '' } = await ownDatabase()
  const run = async (...words: string[]): Promise<string> => {
    const child = spawn(process.execPath, words, {
      env: { ...process.env, DATA_DIR, DATABASE_URL },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(child.exitCode).toBe(0)
    return printed
  }
  const list = await run('lib/tools/testing/whole-list.ts', 'make', '40000')
  // The API and the checks of the tests take 125 MB before the first item, and 40,000 items in memory would take more than the rest.
  const printed = await run('--max-old-space-size=145', 'lib/tools/testing/whole-list.ts', 'read', list)
  const bytes = JSON.parse(printed) as Record<string, number>
  expect(bytes['application/json']).toBeGreaterThan(30_000_000)
  expect(bytes['application/xml']).toBeGreaterThan(30_000_000)
  expect(bytes['text/csv']).toBeGreaterThan(2_000_000)
})
