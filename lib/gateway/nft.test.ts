import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'

test('the programs of the system do not get the token', async () => {
  vi.stubEnv('GATEWAY_TOKEN', 'sat_secret')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { start } = await import('#lib/gateway/nft')
  const given = await text(start({ enter: [] }, ['env'], 'ignore').stdout)
  expect(given).toContain('LC_ALL=C\n')
  expect(given).not.toContain('GATEWAY_TOKEN')
})
