import { expect, test } from 'playwright/test'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { findFirefox } from '#lib/tools/testing/programs'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { codeOf } from '#lib/tools/testing/totp'
import { apiAs } from './api'
import { newNetwork } from './nat-networks'
import { newUser, type Person } from './people'

/*
 * The main journeys in Firefox, over WebDriver BiDi. Not by Playwright: it drives its own build of Firefox, or one that is newer than
 * Debian's.
 */

test.describe.configure({ mode: 'serial' })

let browser: Browser

test.beforeAll(async () => {
  const executablePath = findFirefox()
  if (executablePath === undefined)
    throw new Error('Firefox is missing: on Debian apt-get install firefox-esr')
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    // The extended support release lacks a command by which the driver sets another viewport.
    defaultViewport: null,
    args: ['--width=1440', '--height=900'],
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  })
})

test.afterAll(() => browser.close())

const admin: Person = { nick: adminNick, password: adminPassword }

/** The element with this role and exactly this name. */
const named = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([name="${name}"][role="${role}"])`)

const click = (page: Page, role: string, name: string) => named(page, role, name).click()

const see = (page: Page, text: string) => page.locator(`::-p-text(${text})`).wait()

/** The text of the page that matches, once it is there. */
async function find(page: Page, pattern: RegExp): Promise<string> {
  const found = await page.waitForFunction(
    (source: string) => new RegExp(source).exec(document.body.innerText)?.[0],
    {},
    pattern.source,
  )
  return (await found.jsonValue()) ?? ''
}

const textOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .map((element) => element.textContent?.trim() ?? '')
    .wait()

async function fill(page: Page, name: string, value: string): Promise<void> {
  await named(page, 'textbox', name).fill(value)
}

async function signIn(page: Page, { nick, password }: Person): Promise<void> {
  await fill(page, 'User name', nick)
  await page.locator('input[type=password]').fill(password)
  await click(page, 'button', 'Sign in')
}

/** A visit without a session. Fails on errors in the browser's log. */
async function visit(
  baseURL: string | undefined,
  path: string,
  journey: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(`${baseURL}${path}`)
  await journey(page)
  expect(faults).toEqual([])
  await context.close()
}

test('Firefox: a wrong password is refused, the right one leads to where the user was going', async ({
  baseURL,
}) => {
  await visit(baseURL, '/roles', async (page) => {
    await signIn(page, { ...admin, password: 'a wrong password' })
    await see(page, 'The user name or the password is wrong')
    await signIn(page, admin)
    await see(page, 'CLOUD_ADMIN')
    expect(new URL(page.url()).pathname).toBe('/roles')
  })
})

test('Firefox: a user enrols in two factor by the key, and proves a code', async ({ baseURL }) => {
  const person = await newUser(apiAs(baseURL))
  await visit(baseURL, '/account/two-factor', async (page) => {
    await signIn(page, person)
    await click(page, 'button', 'Next')
    await page.locator('svg[role=img]').wait()
    const key = (await find(page, /([A-Z2-7]{4}\s){7}[A-Z2-7]{4}/)).replaceAll(/\s/g, '')
    await fill(page, 'Verification code', codeOf(key))
    await click(page, 'button', 'Turn on')
    await see(page, 'Two factor authentication is on')
    await page.locator('ol[aria-label="Scratch codes"]').wait()
    const codes = await page.$$eval('ol[aria-label="Scratch codes"] li', (items) =>
      items.map((item) => item.textContent?.replaceAll(/\D/g, '') ?? ''),
    )
    expect(codes).toHaveLength(10)
    await click(page, 'button', 'Next')
    const [number] = /\d+/.exec(await find(page, /Type your code number \d+/)) ?? []
    await page.locator('form input:not([type])').fill(codes[Number(number) - 1] ?? '')
    await click(page, 'button', 'Next')
    await see(page, 'My account')
  })
})

test('Firefox: the scope tree unfolds by keys, and its search shows the path to a hit', async ({
  baseURL,
}) => {
  await visit(baseURL, '/scopes', async (page) => {
    await signIn(page, admin)
    const rows = (level: number) => page.locator(`tr[aria-level="${level}"]`)
    await rows(2).wait()
    await page.focus('tr[aria-level="2"] a')
    await page.keyboard.press('ArrowRight')
    await rows(3).wait()
    await page.keyboard.press('ArrowLeft')
    await page.waitForFunction(() => document.querySelector('tr[aria-level="3"]') === null)
    await page.locator('input[aria-label="Find scopes by name"]').fill('harbour')
    await see(page, 'Fjord Shipping: harbour')
  })
})

test('Firefox: NAT IPs are filtered, turned, gone to and put in quarantine', async ({ baseURL }) => {
  const network = await newNetwork(apiAs(baseURL), { name: 'In Firefox', cidr: '198.18.240.0/24', ips: 60 })
  await visit(baseURL, network.path, async (page) => {
    await signIn(page, admin)
    await see(page, '198.18.240.1')
    // Rows that come meanwhile move the page back to the first one.
    await page.waitForFunction(() => {
      for (const each of document.querySelectorAll('main, main div')) each.scrollTo({ top: 10_000 })
      return document.body.innerText.includes('198.18.240.60')
    })
    await page.waitForFunction(() => location.search.includes('from='))
    await click(page, 'button', 'Go to address')
    await fill(page, 'Go to address', '198.18.240.57')
    await click(page, 'button', 'Go')
    expect(await textOf(page, 'mark')).toBe('198.18.240.57')
    await click(page, 'button', 'Actions for 198.18.240.57')
    await click(page, 'menuitem', 'Put in quarantine')
    await see(page, 'Quarantined')
    await page.locator('fieldset button ::-p-text(Quarantined)').click()
    await page.waitForFunction(() => document.querySelectorAll('tbody th').length === 1)
  })
})
