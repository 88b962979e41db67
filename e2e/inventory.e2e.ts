import { always, expect, expectAccessible, signIn, test } from './fixtures'

/* Virtual datacenters, machines and addresses; a port that is published; the question of an abuse ticket. */

const elena = 'elena.ruiz.13'

test('an end user publishes a port from the first screen, and undoes it', { tag: always }, async ({
  page,
}) => {
  await signIn(page, elena)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your virtual machines' })).toBeVisible()
  await page.getByRole('button', { name: 'Publish a port' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish a port' })
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog.getByText('Choose a virtual machine.')).toBeVisible()
  await expect(dialog.getByText('Enter a number from 1 to 65535.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Virtual machine' }).fill('web')
  await page.getByRole('option', { name: /web-1.*production/ }).click()
  await dialog.getByRole('button', { name: 'Private IP of the machine' }).click()
  await page.getByRole('option', { name: '10.0.0.10' }).click()
  await dialog.getByRole('textbox', { name: 'Port of the machine' }).fill('8447')
  await expect(dialog.getByText(/holds 203\.0\.113\.\d+ already/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  const made = page.getByRole('dialog', { name: 'web-1 is published' })
  const place = await made.locator('code').first().textContent()
  expect(place).toMatch(/^203\.0\.113\.\d+:8447$/)
  await expect(made.getByRole('button', { name: `Copy ${place}` })).toBeVisible()
  await expectAccessible(page)
  await made.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${place} is no longer published.`)).toBeVisible()
})

test('an abuse ticket is answered in three actions, and the answer is a link', async ({ page }) => {
  await signIn(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // One: the search. Two: the question as the ticket has it. Three: Enter.
  await page.keyboard.press('Control+k')
  const question = new Date(Date.now() - 60_000).toISOString()
  await page.getByRole('combobox', { name: /Search/ }).fill(`who held 203.0.113.1 at ${question}`)
  await expect(page.getByRole('option', { selected: true })).toContainText('Who held 203.0.113.1 on')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '203.0.113.1' })).toBeVisible()
  await expect(page).toHaveURL(/\/nat\/addresses\/203\.0\.113\.1\?at=/)
  const asked = page.locator('section').filter({ hasText: 'Who held 203.0.113.1?' })
  await expect(asked.getByRole('link', { name: /Albatros Airlines production/ })).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(asked.getByRole('link', { name: /Albatros Airlines production/ })).toBeVisible()
  await page.getByRole('button', { name: 'What happens to a packet' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'To', exact: true })).toHaveValue(
    '203.0.113.1',
  )
})

test('a machine shows what leads to it and what it uses; its names are links', async ({ page }) => {
  await signIn(page)
  await page.goto('/virtualmachines?has=web')
  await page.getByRole('link', { name: 'web-1' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible()
  await expect(page.getByText('203.0.113.1:443').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Uses' }).click()
  await page.getByRole('link', { name: '203.0.113.1', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '203.0.113.1' })).toBeVisible()
  await page.getByRole('link', { name: 'Albatros Airlines production' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Albatros Airlines production' })).toBeVisible()
  await page.getByRole('tab', { name: 'NAT IPs' }).click()
  await expect(page.getByRole('link', { name: '203.0.113.1', exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Virtual appliances' }).click()
  await page.getByRole('link', { name: 'Shop' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible()
})

/** A name of each kind on each screen that shows it leads to its screen. */
for (const { screen, name, to } of [
  { screen: '/nat/ips?within=203.0.113.0/28', name: 'Albatros Airlines', to: /\/enterprises\/\d+$/ },
  { screen: '/nat/ips?within=203.0.113.0/28', name: 'Madrid public', to: /\/natnetworks\/\d+$/ },
  { screen: '/nat/ips', name: 'Madrid', to: /\/datacenters\/\d+$/ },
  { screen: '/nat/rules', name: 'web-1', to: /\/virtualmachines\/\d+$/ },
  { screen: '/datacenters/1/natnetworks', name: 'Madrid logical gateway', to: /\/devices\/\d+$/ },
  { screen: '/virtualdatacenters', name: 'Albatros Airlines production', to: /\/virtualdatacenters\/\d+$/ },
  { screen: '/virtualdatacenters', name: 'Albatros Airlines', to: /\/enterprises\/\d+$/ },
  { screen: '/virtualmachines', name: 'Shop', to: /\/virtualappliances\/\d+$/ },
  { screen: '/users', name: 'ENTERPRISE_ADMIN', to: /\/roles\/\d+$/ },
])
  test(`${name} is a link on ${screen}`, async ({ page }) => {
    await signIn(page)
    await page.goto(screen)
    await page.getByRole('link', { name, exact: true }).first().click()
    await expect(page).toHaveURL(to)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  })
