import type { Page } from 'playwright/test'
import { expect, expectAccessible, expectAccessibleAtAnyWidth, signIn, test } from './fixtures'
import { newUser } from './people'

const field = (page: Page) => page.getByRole('combobox', { name: /^Search for screens/ })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const chosen = (page: Page) => page.getByRole('option', { selected: true })

async function openPalette(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

test('the palette leads to screens and objects by keyboard, and remembers the objects', async ({ page }) => {
  await signIn(page)
  await page.goto('/datacenters')
  const button = page.getByRole('button', { name: /Search/ }).first()
  await button.click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(button).toBeFocused()

  await openPalette(page)
  await page.keyboard.type('scop')
  await expect(chosen(page)).toHaveText(/^Scopes/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Scopes' })).toBeVisible()

  await openPalette(page)
  await page.keyboard.type('madrid')
  await expect(option(page, /Madrid public/)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /\d+ results/ })).toHaveCount(1)
  await expectAccessibleAtAnyWidth(page)
  // To the group below, round the end and back.
  await expect(chosen(page)).toContainText('Alcobendas')
  await page.keyboard.press('PageDown')
  await expect(chosen(page)).toContainText('Madrid carrier grade')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toContainText('Alcobendas')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Madrid' })).toBeVisible()

  await openPalette(page)
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toContainText(
    'Madrid',
  )
  await page.keyboard.type('203.0.113.1')
  await expect(option(page, /^203\.0\.113\.1/).first()).toBeVisible()
  await option(page, /^203\.0\.113\.1/)
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Madrid public' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: '203.0.113.1' })).toBeVisible()
  // Content behind a dialog stays there.
  await page.getByRole('button', { name: 'Table preferences' }).click()
  await expect(page.getByRole('dialog', { name: 'Table preferences' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toHaveCount(0)
})

test('letters typed right after Ctrl-K are in the field of the palette, after any pause', async ({
  page,
}) => {
  await signIn(page)
  for (const delay of [0, 50, 100, 200, 400]) {
    await page.goto('/users')
    const behind = page.getByRole('combobox', { name: /^Find / })
    await behind.click()
    // Heard after the console: the focus has moved by then, before any other key.
    await page.evaluate(() =>
      window.addEventListener('keydown', ({ key }) => {
        if (key === 'k') document.title = String(document.activeElement?.getAttribute('role'))
      }),
    )
    await behind.evaluate((element) => element.setAttribute('data-behind', ''))
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.keyboard.type('madrid', { delay })
    await expect(field(page)).toHaveValue('madrid')
    await expect(page.locator('[data-behind]')).toHaveValue('')
    await expect(page).toHaveTitle('combobox')
  }
})

test('the palette lists the actions on an object', async ({ page }) => {
  await signIn(page)
  await page.goto('/')
  await openPalette(page)
  await page.keyboard.type('madrid public')
  await expect(chosen(page)).toContainText('Madrid public')
  await page.keyboard.press('ArrowRight')
  await expect(option(page, 'Open')).toBeVisible()
  await expectAccessibleAtAnyWidth(page)
  await page.keyboard.press('ArrowLeft')
  await expect(option(page, 'Open')).toHaveCount(0)
  await page.keyboard.type('madrid public')
  await expect(chosen(page)).toContainText('Madrid public')
  await page.getByRole('button', { name: 'Actions for Madrid public' }).click()
  await field(page)
    .or(page.getByRole('combobox', { name: 'Actions for Madrid public' }))
    .press('Escape')
  await page.keyboard.type('madrid public')
  await expect(chosen(page)).toContainText('Madrid public')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('edit')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/natnetworks\/\d+\/edit$/)

  await openPalette(page)
  await page.keyboard.type('203.0.113.9')
  await expect(chosen(page)).toContainText('203.0.113.9')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('quarantine')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('complementary', { name: /^203\.0\.113\.9/ }).getByRole('button', { name: /quarantine/i }),
  ).toBeFocused()

  await page.goto('/')
  await openPalette(page)
  await page.keyboard.type('100.64.0.1:9090')
  await expect(chosen(page)).toContainText('TCP 100.64.0.1:9090')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('disable')
  await page.keyboard.press('Enter')
  const rule = page.getByRole('complementary', { name: /100\.64\.0\.1:9090\b/ })
  await expect(rule.getByRole('button', { name: 'Disable', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^The DNAT rule 100\.64\.0\.1:9090 to .* is disabled\./)).toBeVisible()
  await rule.getByRole('button', { name: 'Enable', exact: true }).press('Enter')
  await expect(page.getByText(/^The DNAT rule 100\.64\.0\.1:9090 to .* is enabled\./)).toBeVisible()

  await page.goto('/')
  await openPalette(page)
  await page.keyboard.type('asia pacific')
  await expect(chosen(page)).toContainText('Asia Pacific')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('move')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Move Asia Pacific' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/scopes\/\d+$/)
})

test('two keys lead to screens, and single keys act on them, but never in fields and dialogs', async ({
  page,
  api,
}) => {
  await signIn(page)
  await page.goto('/')
  const heading = (name: string) =>
    page.getByRole('heading', { level: 1, name: new RegExp(`^${name}( \\(|$)`) })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.type('gs')
  await expect(heading('Scopes')).toBeVisible()
  await page.keyboard.type('gd')
  await expect(heading('Datacenters')).toBeVisible()
  for (const [keys, name] of [
    ['gn', 'NAT networks'],
    ['gi', 'NAT IPs'],
    ['gt', 'NAT rules'],
  ] as const) {
    await page.keyboard.type(keys)
    await expect(heading(name)).toBeVisible()
    await expect(page.getByRole('columnheader', { name: /^Datacenter/ })).toBeVisible()
  }
  await page.keyboard.type('gr')
  await expect(heading('Roles')).toBeVisible()
  await page.keyboard.type('ge')
  await expect(heading('Enterprises')).toBeVisible()
  await expect(page.getByRole('row').nth(3)).toBeVisible()
  await page.keyboard.type('jjk')
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(rows.nth(0).getByRole('link').first()).toBeFocused()
  await page.keyboard.type('j')
  await expect(rows.nth(1).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/enterprises\/\d+$/)
  await expect(page.getByRole('link', { name: 'Edit' })).toBeVisible()
  await page.keyboard.type('e')
  await expect(page).toHaveURL(/\/enterprises\/\d+\/edit$/)
  await page.keyboard.type('gu')
  await expect(page).toHaveURL(/\/users/)
  await expect(rows.first()).toBeVisible()
  await page.keyboard.type('jx')
  await expect(rows.first().getByRole('checkbox')).toBeChecked()
  await expect(rows.first().getByRole('link').first()).toBeFocused()
  // The filter is back when nothing is selected.
  await page.keyboard.type('x/')
  const search = page.getByRole('combobox', { name: /^Find / })
  await expect(search).toBeFocused()
  await page.keyboard.type('gsn?')
  await expect(search).toHaveValue('gsn?')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.type('n')
  await expect(heading('Create user')).toBeVisible()

  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.type('gs')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys.getByRole('row', { name: /Events/ })).toBeVisible()
  await expect(keys.getByRole('row', { name: /Scopes/ })).toHaveCount(0)
  await page.keyboard.type('gv')
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await expect(page).toHaveURL(/\/$/)
})

test('the palette shows an empty result, or a failed search', async ({ page, faults }) => {
  faults.allow(/status of 500/)
  await signIn(page)
  await page.goto('/settings')
  await openPalette(page)
  await page.keyboard.type('nothing is called so')
  await expect(page.getByText('Nothing found for “nothing is called so”')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Nothing found' })).toHaveCount(1)

  const isBroken = { yes: true }
  const failing = { links: [], collection: [{ code: 'GEN-15', message: 'An internal error happened' }] }
  await page.route('**/api/session/search?*', (route) =>
    isBroken.yes
      ? route.fulfill({ status: 500, json: failing, headers: { 'X-Request-Id': 'r-42' } })
      : route.continue(),
  )
  await field(page).fill('frankfurt')
  await expect(page.getByRole('dialog')).toContainText('GEN-15')
  await expect(page.getByRole('dialog')).toContainText('r-42')
  isBroken.yes = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(option(page, /^Frankfurt/).first()).toBeVisible()
})

test('the palette searches after a pause in typing, and drops outdated requests', async ({ page }) => {
  const asked: string[] = []
  const dropped: string[] = []
  const has = (url: string) => new URL(url).searchParams.get('has') ?? ''
  await page.route('**/api/session/search?*', async (route) => {
    asked.push(has(route.request().url()))
    if (asked.length === 1) return
    await route.continue()
  })
  page.on('requestfailed', (request) => dropped.push(has(request.url())))
  await signIn(page)
  await page.goto('/settings')
  await openPalette(page)
  await field(page).fill('mad')
  await expect.poll(() => asked).toEqual(['mad'])
  await field(page).fill('madrid')
  await expect(option(page, /Madrid public/)).toBeVisible()
  expect(asked).toEqual(['mad', 'madrid'])
  expect(dropped).toEqual(['mad'])
})

test('the palette offers the permitted actions, and runs them', async ({ page, api }) => {
  await signIn(page)
  await page.goto('/datacenters/1')
  await openPalette(page)
  await page.keyboard.type('create nat')
  await expect(chosen(page)).toHaveText('Create NAT network in Madrid')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/datacenters\/1\/natnetworks\/new/)

  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/')
  await openPalette(page)
  await expect(option(page, 'Events')).toBeVisible()
  await expect(option(page, 'Scopes')).toHaveCount(0)
  await expect(option(page, 'Create scope')).toHaveCount(0)
  await page.keyboard.type('theme dark')
  await expect(chosen(page)).toHaveText('Theme: Dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await openPalette(page)
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

test('the question mark lists the keys, unless it is typed or turned off', async ({ page, api }) => {
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/events')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByRole('combobox', { name: 'Find by name or by property' }).press('?')
  await expect(keys).toBeHidden()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await expect(keys).toBeVisible()
  await expectAccessible(page)
  await keys.getByText('Shortcuts without Ctrl').click()
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await openPalette(page)
  await expect(keys).toBeHidden()
  await page.keyboard.type('keys')
  await page.keyboard.press('Enter')
  await expect(keys).toBeVisible()
})
