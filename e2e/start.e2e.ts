import type { Page } from 'playwright/test'
import { expect, signIn, test } from './fixtures'
import { expectLoaded } from './looks'
import { newAdministrator } from './people'

/** A name that occurs only in the script of the table. */
const table = 'aria-rowcount'

type Start = { scripts: string; requests: number; kilobytes: number }

/** The size of a screen's downloads with an empty cache. */
async function startOf(page: Page, address: string): Promise<Start> {
  const answers: Promise<[string, string]>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      answers.push(response.text().then((text) => [response.url(), text]))
  })
  const tools = await page.context().newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
  let requests = 0
  let bytes = 0
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    // Images that are written in the address take nothing.
    if (encodedDataLength === 0) return
    requests += 1
    bytes += encodedDataLength
  })
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectLoaded(page)
  const scripts = await Promise.all(answers)
  expect(scripts.length, 'no script comes twice').toBe(new Map(scripts).size)
  return { scripts: scripts.map(([, text]) => text).join(), requests, kilobytes: bytes / 1024 }
}

/** The limits of docs/performance.md. */
function expectLight({ requests, kilobytes }: Start, most: Omit<Start, 'scripts'>): void {
  expect(requests).toBeLessThanOrEqual(most.requests)
  expect(kilobytes).toBeLessThanOrEqual(most.kilobytes)
}

test('the sign-in is light, and brings no table', async ({ page }) => {
  const start = await startOf(page, '/scopes')
  expect(start.scripts).not.toContain(table)
  expectLight(start, { requests: 10, kilobytes: 200 })
})

/** Lists of the sample cloud, whose rows no other test changes. */
for (const [address, most] of [
  ['/nat/ips', { requests: 20, kilobytes: 430 }],
  ['/users?has=alvarez', { requests: 18, kilobytes: 370 }],
] as const)
  test(`the list ${address} is light`, async ({ page, api }) => {
    // The jobs of other tests come with each screen of their user.
    const { nick, password } = await newAdministrator(api)
    await signIn(page, nick, password)
    const start = await startOf(page, address)
    expect(start.scripts).toContain(table)
    expectLight(start, most)
  })
