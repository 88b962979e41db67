import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { testSettings } from '#lib/tools/testing/settings'
import { apiAs } from './api'
import { test as base, expect, signIn } from './fixtures'
import { expectLoaded } from './looks'

/* With 10,000 scopes, 100,000 users and 1,000,000 IPs no screen asks the API for more than it shows. */

const amounts = {
  'nat-ips': 1_000_000,
  'nat-rules': 20_000,
  scopes: 10_000,
  users: 100_000,
  enterprises: 10_000,
}

const test = base.extend<{ large: OwnServer }>({
  large: [
    async ({ playwright }, use) => {
      const directory = mkdtempSync(join(tmpdir(), 'test-sizes-'))
      const options = Object.entries(amounts).map(([what, count]) => `--${what}=${count}`)
      const filling = spawn(process.execPath, ['lib/tools/scripts/run.js', 'sample', ...options], {
        cwd: join(import.meta.dirname, '..'),
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, ...testSettings, LOG_LEVEL: 'silent', DATA_DIR: directory },
      })
      expect(await once(filling, 'exit')).toEqual([0, null])
      const server = await startServer({ DATA_DIR: directory })
      const request = await playwright.request.newContext()
      expect((await request.get(`${server.url}/readyz`)).status()).toBe(200)
      await request.dispose()
      await use(server)
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
    { timeout: 300_000 },
  ],
  baseURL: ({ large }, use) => use(large.url),
})

type Answer = { address: string; bytes: number }

/** Records the API's answers from now on. */
function watchAnswers(page: Page): Answer[] {
  const answers: Answer[] = []
  page.on('response', async (response) => {
    const { pathname, search } = new URL(response.url())
    if (!pathname.startsWith('/api/')) return
    const body = await response.body().catch(() => Buffer.alloc(0))
    answers.push({ address: `${response.request().method()} ${pathname}${search}`, bytes: body.length })
  })
  return answers
}

function expectFew(answers: readonly Answer[], most: { requests: number; kilobytes: number }): void {
  const report = JSON.stringify(answers, null, 1)
  expect(answers.length, report).toBeLessThanOrEqual(most.requests)
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0)
  expect(bytes / 1024, report).toBeLessThanOrEqual(most.kilobytes)
  const addresses = answers.map(({ address }) => address)
  expect([...new Set(addresses)], 'the same is asked twice').toEqual(addresses)
}

const named = z.object({ collection: z.array(z.object({ id: z.int(), name: z.string() })) })

test('every screen requests only its own data, however large the installation', async ({ page, baseURL }) => {
  const api = apiAs(baseURL)
  const first = async (path: string) => {
    const { collection } = await api.get(path, named)
    if (!collection[0]) throw new Error(`nothing at ${path}`)
    return collection[0].id
  }
  const datacenter = await first('/api/admin/datacenters')
  const network = await first(`/api/admin/datacenters/${datacenter}/natnetworks`)
  const scope = await first('/api/admin/scopes?has=9999')
  const enterprise = await first('/api/admin/enterprises?has=9999')
  const nat = `/datacenters/${datacenter}`
  const screens = [
    '/',
    '/scopes',
    `/scopes/${scope}`,
    `/scopes/${scope}/edit`,
    '/enterprises',
    `/enterprises/${enterprise}`,
    '/users',
    '/roles',
    '/events',
    '/nat/networks',
    '/nat/ips',
    '/nat/rules',
    '/datacenters',
    nat,
    `${nat}/natnetworks`,
    `${nat}/natnetworks/${network}`,
    `${nat}/natnetworks/${network}?tab=rules`,
    `${nat}/natips`,
    `${nat}/natrules`,
    '/account',
    '/settings',
  ]
  await signIn(page)
  // The first visit keeps that the first steps are done.
  const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await page.goto('/')
  await kept
  for (const path of screens) {
    await test.step(path, async () => {
      const answers = watchAnswers(page)
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectLoaded(page)
      // Home also asks what ends soon.
      expectFew(answers, { requests: path === '/' ? 13 : 12, kilobytes: 80 })
      page.removeAllListeners('response')
    })
  }
})
