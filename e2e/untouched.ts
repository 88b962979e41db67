import { rmSync } from 'node:fs'
import type { APIRequestContext } from 'playwright/test'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { test as base, expect } from './fixtures'
import { sampleDirectory } from './sample'

type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>

/** The browser that the list of sessions names. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The sample cloud as it is made, which no test changes: a server for each worker, with one session for all its tests. */
export const test = base.extend<object, { untouched: OwnServer; signedIn: Cookies }>({
  untouched: [
    async ({ playwright }, use) => {
      const directory = sampleDirectory()
      const server = await startServer({ DATA_DIR: directory }, 'demo')
      const request = await playwright.request.newContext()
      expect((await request.get(`${server.url}/readyz`)).status()).toBe(200)
      await request.dispose()
      await use(server)
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  signedIn: [
    async ({ playwright, untouched }, use) => {
      const request = await playwright.request.newContext({
        baseURL: untouched.url,
        extraHTTPHeaders: { 'user-agent': userAgent },
      })
      const response = await request.post('/api/session', {
        data: { nick: adminNick, password: adminPassword },
      })
      expect(response.status()).toBe(200)
      await use(await request.storageState())
      await request.dispose()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ untouched }, use) => use(untouched.url),
})
