import type { Page } from 'playwright/test'
import { expect } from './fixtures'
import { expectSettled, widthOf } from './looks'
import { speakTo } from './texts'
import { test } from './untouched'

/* How much of a list a screen shows: measured, on the sample cloud. */

const lists = [
  '/nat/ips',
  '/nat/networks',
  '/nat/rules',
  '/datacenters/1/natips',
  '/datacenters/1/natnetworks',
  '/datacenters/1/natrules',
  '/users',
  '/enterprises',
  '/events',
  '/datacenters',
]
const tabs = [
  '/datacenters/1/natnetworks/1',
  '/datacenters/1/natnetworks/1?tab=rules',
  '/enterprises/2?tab=users',
  '/roles',
]

/** Of the table that is open: the texts that are cut, the columns out of sight, and where its rows stand. */
const measure = (page: Page) =>
  page.getByRole('grid').evaluate((grid) => {
    const cells = [...grid.querySelectorAll('th, td')]
    const isCut = (part: Element) =>
      part.scrollWidth > part.clientWidth &&
      part.clientWidth > 1 &&
      getComputedStyle(part).overflowX !== 'visible'
    const cut = cells.filter((cell) => [cell, ...cell.querySelectorAll('*')].some(isCut))
    const rows = [...grid.querySelectorAll('tbody tr[aria-rowindex]')].map((row) =>
      row.getBoundingClientRect(),
    )
    const around = grid.parentElement
    return {
      cut: cut.map(({ textContent }) => textContent),
      outOfSight: around ? around.scrollWidth - around.clientWidth : 0,
      first: rows[0]?.top ?? Number.POSITIVE_INFINITY,
      tallest: Math.max(...rows.map(({ height }) => height)),
      whole: rows.filter(({ bottom }) => bottom <= innerHeight).length,
    }
  })

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('grid').getByRole('rowheader').first()).toBeVisible()
  await expectSettled(page)
  return measure(page)
}

for (const [what, paths] of Object.entries({ lists, tabs }))
  test(`no default column of ${what} is cut or out of sight at 1440 in either language`, async ({
    page,
    signedIn,
  }) => {
    await page.context().addCookies(signedIn.cookies)
    const expectWhole = async (path: string) => {
      const { cut, outOfSight, first, tallest } = await measure(page)
      const at = `${path} ${await page.locator('html').getAttribute('lang')}`
      expect.soft({ at, cut, outOfSight }).toEqual({ at, cut: [], outOfSight: 0 })
      expect.soft(first, at).toBeLessThan(lists.includes(path) ? 200 : 300)
      for (const chip of await page.locator('fieldset button').all())
        await expect(chip).toBeInViewport({ ratio: 1 })
      if (path.includes('rules')) expect.soft(tallest, at).toBeLessThan(48)
    }
    for (const path of paths) {
      await open(page, path)
      await expectWhole(path)
      await speakTo(page, 'es_ES')
      await expect(page.locator('html')).toHaveAttribute('lang', 'es')
      await expectSettled(page)
      await expectWhole(path)
      await page.unroute('**/api/session')
    }
  })

test('rows of IPs without scrolling: 28 in comfortable, 32 in compact; on a phone they begin early', async ({
  page,
  signedIn,
}) => {
  await page.context().addCookies(signedIn.cookies)
  expect((await open(page, '/datacenters/1/natips')).whole).toBeGreaterThanOrEqual(28)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('menuitemradio', { name: 'Compact' }).click()
  await expect.poll(async () => (await measure(page)).whole).toBeGreaterThanOrEqual(32)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('menuitemradio', { name: 'Comfortable' }).click()

  await page.setViewportSize({ width: 400, height: 900 })
  for (const path of [...lists, ...tabs]) {
    const { first } = await open(page, path)
    if (lists.includes(path)) expect.soft(first, path).toBeLessThan(320)
    expect.soft(await widthOf(page), path).toBe(400)
  }
  await page.goto('/datacenters/1/natips')
  await expect(page.getByRole('button', { name: 'Add IPs' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Actions and filters' }).click()
  await expect(page.getByRole('button', { name: 'Add IPs' })).toBeVisible()
})
