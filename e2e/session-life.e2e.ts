import type { Page } from 'playwright/test'
import { z } from 'zod'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { apiAs } from './api'
import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { newAdministrator, newUser } from './people'

const anything = z.object({})

async function signInByHand(page: Page, nick = adminNick, password = adminPassword): Promise<void> {
  await page.getByLabel('User name').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a change that finds the session ended waits for the sign-in in place, and is sent again', {
  tag: always,
}, async ({ page, api, baseURL, faults }) => {
  faults.allow(/status of 401/)
  const { nick, password } = await newAdministrator(api)
  await signIn(page, nick, password)
  await page.goto('/scopes/new')
  const name = `Typed before the end ${crypto.randomUUID()}`
  await page.getByLabel('Name', { exact: true }).fill(name)
  // Somewhere else the user signs out everywhere.
  await apiAs(baseURL, nick, password).remove('/api/session/sessions')
  await page.getByRole('button', { name: 'Create scope' }).click()

  await expect(page.getByText('Your session has ended')).toBeVisible()
  await signInByHand(page, nick, password)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  const { collection } = await api.get(
    `/api/admin/scopes?has=${encodeURIComponent(name)}`,
    z.object({ collection: z.array(anything) }),
  )
  expect(collection).toHaveLength(1)
})

test('after a sign-in in place the focus is where it was, and leaving the form asks once', async ({
  page,
  api,
  baseURL,
  faults,
}) => {
  faults.allow(/status of 401/)
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  const { nick, password } = await newAdministrator(api)
  await signIn(page, nick, password)
  await page.goto('/enterprises')
  await page.getByRole('link', { name: 'Create enterprise' }).first().click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Typed before the end')
  await apiAs(baseURL, nick, password).remove('/api/session/sessions')
  await page.evaluate(() => new BroadcastChannel('console.session').postMessage({ type: 'session' }))
  await expect(page.getByText('Your session has ended')).toBeVisible()
  await signInByHand(page, nick, password)
  await expect(name).toBeFocused()

  await page.getByRole('button', { name: 'Create a scope' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create scope' })
  await dialog.getByLabel('Name', { exact: true }).fill('Typed as well')
  await page.goBack()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(question).toHaveCount(1)
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  expect(warnings.filter((text) => text.includes('blocker'))).toEqual([])
})

test('the tabs of a browser agree on the signed-in user', async ({ context, page, api }) => {
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/account')
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()

  await page.getByRole('button', { name: nick, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(other.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()

  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await signInByHand(page, nick, password)
  await expect(other.getByRole('heading', { level: 1, name: 'Sign in' })).toBeHidden()
  await expect(other.getByRole('button', { name: nick, exact: true })).toBeVisible()
})

test('a late refusal of the session before does not end the one that began meanwhile', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 401/)
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await page.route(
    '**/api/session/authorizations*',
    async (route) => {
      reached.resolve()
      await held.promise
      // With the cookie of the session that was there when the page sent it.
      await route.fulfill({ status: 401 })
    },
    { times: 1 },
  )
  await page.goto('/account')
  await expect(page.getByRole('button', { name: nick, exact: true })).toBeVisible()
  await reached.promise
  const signedIn = await page.request.post('/api/session', { data: { nick, password } })
  expect(signedIn.status()).toBe(200)
  const again = page.waitForResponse('**/api/session')
  await page.evaluate(() => new BroadcastChannel('console.session').postMessage({ type: 'session' }))
  await (await again).finished()
  const repeated = page.waitForResponse(
    (response) => response.url().includes('/api/session/authorizations') && response.ok(),
  )
  held.resolve()
  await repeated
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: nick, exact: true })).toBeVisible()
})

test('a chosen language applies at once, without a reload', async ({ page, faults }) => {
  faults.allow(/status of 401/)
  await signIn(page)
  await page.goto('/scopes/new')
  const typed = `Typed ${crypto.randomUUID()}`
  await page.getByLabel('Name', { exact: true }).fill(typed)
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch()
    if (route.request().method() !== 'GET' || response.status() !== 200) return route.fulfill({ response })
    return route.fulfill({ response, json: { ...(await response.json()), locale: 'es_ES' } })
  })
  const askAnew = () =>
    page.evaluate(() => new BroadcastChannel('console.session').postMessage({ type: 'session' }))
  await askAnew()
  await expect(page.getByRole('link', { name: 'Centros de datos', exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page).toHaveTitle(/ · Cloud console$/)
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue(typed)

  // The sign-in dialog over the page uses the user's language, not the browser's.
  await page.request.delete('/api/session')
  await askAnew()
  await expect(page.getByText('Su sesión ha terminado.')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expectAccessible(page)
})

test.describe('where a session may be idle for thirty seconds', () => {
  let server: OwnServer
  test.beforeAll(async () => {
    server = await startServer({ SESSION_IDLE_SECONDS: '30' })
  })
  test.afterAll(() => server.stop())

  test('a countdown asks before signing out an idle user; a present user continues', async ({ page }) => {
    await page.request.post(`${server.url}/api/session`, {
      data: { nick: adminNick, password: adminPassword },
    })
    await page.goto(`${server.url}/account`)
    await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
    const dialog = page.getByRole('dialog', { name: 'Are you still there?' })
    await expect(dialog).toBeVisible({ timeout: 40_000 })
    await expect(dialog).toContainText(/ends in (\d|10) second/)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(dialog).toBeVisible({ timeout: 40_000 })
    await expectAccessible(page)
    await expect(page.getByText('Your session has ended')).toBeVisible({ timeout: 40_000 })
    await signInByHand(page)
    await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
  })
})
