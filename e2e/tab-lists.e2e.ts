import type { Page } from 'playwright/test'
import { z } from 'zod'
import { always, expect, signIn, test } from './fixtures'

/* A list in a tab fills the rest of the screen: it scrolls by itself, below its filter and its headers. */

const network = '/datacenters/1/natnetworks/1'

const tabs = [
  network,
  `${network}?tab=rules`,
  `${network}?tab=events`,
  '/datacenters/1',
  '/datacenters/1?tab=racks',
  '/datacenters/1?tab=remoteservices',
  '/datacenters/1?tab=devices',
  '/datacenters/1/devices/1?tab=events',
  '/enterprises/2?tab=users',
  '/enterprises/2?tab=events',
  '/enterprises/2/users/2',
  '/enterprises/2/users/2?tab=tokens',
  '/enterprises/2/users/2?tab=machines',
  '/roles',
  '/roles/2?tab=events',
  '/scopes/2?tab=users',
  '/scopes/2?tab=roles',
  '/scopes/2?tab=enterprises',
  '/scopes/2?tab=events',
  '/settings?tab=webhooks',
]

const grid = (page: Page) => page.getByRole('tabpanel').getByRole('grid')

/** The height of the list, and how far it and the screen can be scrolled. */
const measure = (page: Page) =>
  grid(page).evaluate((table) => {
    const main = document.querySelector('main')
    const box = table.parentElement
    if (!main || !box) throw new Error('no list')
    return {
      below: main.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom,
      height: box.clientHeight,
      list: box.scrollHeight - box.clientHeight,
      screen: main.scrollHeight - main.clientHeight,
    }
  })

for (const path of tabs)
  test(`${path} ends with its list, which alone scrolls`, async ({ page }) => {
    await signIn(page)
    await page.goto(path)
    await expect(grid(page)).toHaveAttribute('aria-busy', 'false')
    const { below, height, list, screen } = await measure(page)
    expect(below).toBeLessThan(20)
    expect(height).toBeGreaterThanOrEqual(9 * 28)
    // Eight rows stay where more stands above the list than the screen has room for.
    if (height > 300) expect(screen).toBeLessThanOrEqual(1)
    if (list === 0) return
    await grid(page).evaluate((table) => table.parentElement?.scrollTo({ top: 1e6 }))
    for (const head of await grid(page).getByRole('columnheader').all()) await expect(head).toBeInViewport()
    await expect(page.getByRole('tablist')).toBeInViewport()
  })

test('at row 40 the tabs, the filter and all headers are in sight', { tag: always }, async ({
  page,
  api,
}) => {
  const { collection } = await api.get('/api/admin/natnetworks?by=id&limit=50', networks)
  const longest = collection.toSorted((a, b) => b.ips - a.ips)[0]
  const place = /datacenters\/\d+\/natnetworks\/\d+/.exec(longest?.links[0]?.href ?? '')
  await signIn(page)
  await page.goto(`/${place}`)
  await expect(grid(page)).toHaveAttribute('aria-busy', 'false')
  expect(longest?.ips).toBeGreaterThan(60)
  await grid(page).evaluate((table) => table.parentElement?.scrollTo({ top: 40 * 28 }))
  await expect(page.locator('tr[aria-rowindex="42"]')).toBeInViewport()
  for (const head of await grid(page).getByRole('columnheader').all()) await expect(head).toBeInViewport()
  await expect(page.getByRole('tab', { name: 'IPs' })).toBeInViewport()
  await expect(page.getByRole('combobox', { name: 'Find by IP or by a property' })).toBeInViewport()
  // On a phone the page scrolls.
  await page.setViewportSize({ width: 400, height: 900 })
  expect((await measure(page)).list).toBe(0)
})

const networks = z.object({
  collection: z.array(z.object({ ips: z.int(), links: z.array(z.object({ href: z.string() })) })),
})
