import { expect, signIn, test } from './fixtures'
import { expectWalkable } from './keys'
import { expectLoaded, widthOf } from './looks'

/* Lists on a phone: nothing is wider than the screen, and the tools of a row keep their distance to its edge. */

for (const path of [
  '/nat/networks',
  '/nat/ips',
  '/nat/rules',
  '/datacenters',
  '/datacenters/1',
  '/datacenters/1?tab=devices',
  '/datacenters/1/natnetworks/1',
  '/datacenters/1/natnetworks/1?tab=rules',
  '/scopes',
  '/enterprises',
  '/users',
  '/roles',
  '/events',
  '/settings?tab=webhooks',
  '/account',
])
  test(`${path} fits a phone`, async ({ page }) => {
    await signIn(page)
    await page.setViewportSize({ width: 400, height: 900 })
    await page.goto(path)
    await expectLoaded(page)
    for (const width of [400, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(width)
      const ends = await page
        .getByRole('main')
        .locator('tbody :is(a, button, input)')
        .evaluateAll((controls) =>
          controls
            .filter((control) => control.checkVisibility())
            .map((control) => {
              // A name that its cell cuts ends there.
              const cell = control.closest('td, th') ?? control
              return Math.min(control.getBoundingClientRect().right, cell.getBoundingClientRect().right)
            }),
        )
      expect(Math.max(0, ...ends)).toBeLessThanOrEqual(width - 8)
    }
  })

test('a panel covers the list on a phone, and nothing behind it is reached', async ({ page }) => {
  await signIn(page)
  await page.setViewportSize({ width: 400, height: 900 })
  await page.goto('/nat/ips')
  const opener = page.getByRole('link', { name: '100.64.0.2', exact: true })
  await opener.click()
  const panel = page.getByRole('complementary', { name: '100.64.0.2' })
  await expect(panel).toBeFocused()
  await expect(page.getByRole('grid')).toHaveCount(0)
  await expectWalkable(page)
  await panel.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(opener).toBeFocused()
})

test('the navigation on a phone closes by Escape and where the focus or a finger leaves it', async ({
  page,
}) => {
  await signIn(page)
  await page.setViewportSize({ width: 400, height: 900 })
  await page.goto('/nat/ips')
  await expectLoaded(page)
  const button = page.getByRole('button', { name: 'Open the navigation' })
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await navigation.getByRole('link').first().focus()
  await page.keyboard.press('Escape')
  await expect(navigation).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await navigation.getByRole('link').last().focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
  await expect(navigation).toBeHidden()
  await button.click()
  await expect(navigation).toBeVisible()
  await page.mouse.click(380, 600)
  await expect(navigation).toBeHidden()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
})
