import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { always, expect, signIn, test } from './fixtures'

/* Where the focus goes when a dialog over a list closes: to what opened it, or to the row that was made or changed. */

type Case = {
  path: string
  /** Opens the dialog, or the menu that has it. */
  opener: string | RegExp
  entry?: string
}

const cases: Case[] = [
  { path: '/datacenters', opener: 'Create datacenter' },
  // These load what they change first.
  { path: '/datacenters', opener: 'Edit Madrid' },
  { path: '/datacenters', opener: 'Delete Madrid' },
  { path: '/datacenters/1?tab=devices', opener: 'Create device' },
  { path: '/datacenters/1?tab=devices', opener: 'Edit Madrid logical gateway' },
  { path: '/datacenters/1?tab=devices', opener: 'Delete Madrid logical gateway' },
  { path: '/datacenters/1/natips', opener: 'Add IPs' },
  { path: '/datacenters/1/natips', opener: 'Table preferences' },
  { path: '/datacenters/1/natips?state=free', opener: /^Actions for /, entry: 'Delete' },
  { path: '/datacenters/1/natnetworks/1?tab=rules', opener: 'Create rule' },
  { path: '/datacenters/1/natrules', opener: /^Delete / },
  { path: '/scopes', opener: 'Actions for Europe', entry: 'Move' },
  { path: '/scopes', opener: 'Actions for Europe', entry: 'Delete' },
]

const button = (page: Page, name: string | RegExp): Locator =>
  page
    .getByRole('main')
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .first()

for (const { path, opener, entry } of cases)
  test(`${path}: ${opener} ${entry ?? ''} has the focus again`, async ({ page }) => {
    await signIn(page)
    await page.goto(path)
    const dialog = page.locator('[data-veil]')
    for (const close of ['Escape', 'Cancel']) {
      const from = button(page, opener)
      const name = await from.getAttribute('aria-label')
      await from.focus()
      await page.keyboard.press('Enter')
      if (entry) {
        const item = page.getByRole('menuitem', { name: entry })
        await expect(item).toBeVisible()
        await item.press('Enter')
      }
      await expect(dialog.getByRole('heading').first()).toBeVisible()
      // What it loads is there.
      await expect(dialog.getByRole('button').nth(2)).toBeVisible()
      if (close === 'Escape') await page.keyboard.press('Escape')
      else await dialog.getByRole('button', { name: close, exact: true }).click()
      await expect(dialog).toHaveCount(0)
      await expect(from).toBeFocused()
      expect(await from.getAttribute('aria-label')).toBe(name)
    }
  })

test('after a change the focus is on its row, also where the order has changed; after a deletion on the next one', {
  tag: always,
}, async ({ page, api }) => {
  const { id } = await api.post('/api/admin/datacenters', { name: 'Focus', location: '' }, created)
  for (const name of ['b', 'd', 'f'])
    await api.post(
      `/api/cloud/locations/${id}/devices`,
      { name, links: [{ rel: 'devicetype', href: api.at('/api/config/devicetypes/1').href }] },
      created,
    )
  await signIn(page)
  await page.goto(`/datacenters/${id}?tab=devices`)
  const dialog = page.getByRole('dialog')
  const rows = page.getByRole('tabpanel').getByRole('rowheader')

  await button(page, 'Create device').focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('c')
  await dialog.getByRole('button', { name: 'Create device' }).click()
  await expect(rows).toHaveText(['b', 'c', 'd', 'f'])
  await expect(page.getByRole('link', { name: 'c', exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'Edit c', exact: true }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('e')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText(['b', 'd', 'e', 'f'])
  await expect(page.getByRole('button', { name: 'Edit e', exact: true })).toBeFocused()

  for (const [name, next] of [
    ['d', 'e'],
    ['f', 'e'],
  ] as const) {
    await page.getByRole('button', { name: `Delete ${name}`, exact: true }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: `Delete ${next}`, exact: true })).toBeFocused()
  }
})

const created = z.object({ id: z.int() })
