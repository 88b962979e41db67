import type { Page } from 'playwright/test'
import { always, expect, expectAccessible, signIn, test } from './fixtures'

const files = '**/_next/static/chunks/*.js'

const cut = (page: Page) => page.route(files, (route) => route.abort())

const message = (page: Page) =>
  page.getByRole('alertdialog', { name: 'This part of the console could not be loaded' })

/** The requests wait until they are released. */
async function holdBack(page: Page, address: string): Promise<{ release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return { release: resolve }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a dialog whose file cannot be loaded says so, and the form below keeps its text', {
  tag: always,
}, async ({ page, faults }) => {
  faults.allow(/ERR_FAILED/)
  await signIn(page)
  await page.goto('/enterprises/new')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Banco del Sur')
  await cut(page)

  const call = button(page, 'API').last()
  await call.click()
  await expect(message(page)).toBeVisible()
  await expect(message(page)).toContainText('Try again.')
  await expect(button(page, 'Try again')).toBeFocused()
  await expectAccessible(page)
  await page.screenshot({ path: '/tmp/a-e2e/one.png' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 400, height: 800 })
  await page.screenshot({ path: '/tmp/a-e2e/two.png' })
  await page.setViewportSize({ width: 1440, height: 900 })
  // Shortcuts mean nothing behind it.
  await page.keyboard.type('ge')
  await button(page, 'Try again').click()
  await expect(message(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(message(page)).toBeHidden()
  await expect(call).toBeFocused()
  await expect(name).toHaveValue('Banco del Sur')

  await call.click()
  await expect(message(page)).toBeVisible()
  await page.unroute(files)
  await button(page, 'Try again').click()
  await expect(page.getByRole('dialog')).toContainText('curl')
  await page.keyboard.press('Escape')
  await expect(call).toBeFocused()
  await expect(name).toHaveValue('Banco del Sur')
})

test('a menu opens by the next press after its file could not be loaded', async ({ page, faults }) => {
  faults.allow(/ERR_FAILED/)
  await signIn(page)
  await page.goto('/users')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The first key or move of the pointer loads it.
  await cut(page)
  const menu = button(page, 'CSV')
  await menu.click()
  await button(page, 'Close').click()
  await expect(menu).toBeFocused()
  await page.unroute(files)
  await menu.press('Enter')
  await expect(page.getByRole('menuitem', { name: /^Import/ })).toBeVisible()
})

test('letters typed while a dialog or a screen is loading are no shortcuts', async ({ page }) => {
  await signIn(page)
  await page.goto('/users')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')

  const dialog = await holdBack(page, files)
  await button(page, 'Table preferences').click()
  await page.keyboard.type('ge')
  dialog.release()
  await expect(page.getByRole('dialog', { name: 'Table preferences' })).toBeVisible()
  await expect(page).toHaveURL(/\/users$/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const screen = await holdBack(page, '**/api/admin/roles?*')
  await page.keyboard.type('gr')
  await expect(page.getByRole('progressbar', { name: 'Opening the screen' })).toBeVisible()
  await page.keyboard.type('ge')
  screen.release()
  await expect(page.getByRole('heading', { level: 1, name: 'Roles' })).toBeVisible()
  await page.keyboard.type('ge')
  await expect(page).toHaveURL(/\/enterprises$/)
})

test('letters typed in a closed list of choices choose, and a key held down acts once', async ({ page }) => {
  await signIn(page)
  await page.goto('/users/new')
  await page.getByRole('button', { name: /^More:/ }).click()
  const language = page.getByRole('button', { name: /Language/ })
  await language.focus()
  await page.keyboard.type('gs')
  await expect(page).toHaveURL(/\/users\/new$/)

  await page.goto('/users')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.down('g')
  await page.keyboard.down('g')
  await page.keyboard.up('g')
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/enterprises$/)
})
