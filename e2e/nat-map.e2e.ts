import { expect, expectAccessible, signIn, test } from './fixtures'
import { widthOf } from './looks'
import { newNetwork } from './nat-networks'

const madridPublic = '/datacenters/1/natnetworks/1?tab=map'

test('the address map is walked by the arrow keys; Enter opens an address, or adds it', async ({
  page,
  api,
}) => {
  const { path } = await newNetwork(api, { name: 'Mapped', cidr: '198.18.40.0/24', ips: 20 })
  await signIn(page)
  await page.goto(`${path}?tab=map`)
  const grid = page.getByRole('grid', { name: 'Addresses of 198.18.40.0/24' })
  await expect(grid.getByRole('gridcell')).toHaveCount(256)
  const focused = page.locator('[data-cell]:focus')
  await grid.getByRole('button', { name: '198.18.40.1: free' }).focus()
  for (const [key, ip] of [
    ['ArrowRight', '198.18.40.2: free'],
    ['ArrowDown', '198.18.40.18: free'],
    ['End', '198.18.40.31: no IP'],
    ['Home', '198.18.40.16: free'],
    ['Control+End', '198.18.40.255: no IP'],
    ['PageUp', '198.18.40.15: free'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(focused).toHaveAttribute('aria-label', ip)
  }
  // One stop on the way of Tab.
  await expect(grid.locator('[tabindex="0"]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: '198.18.40.15' })
  await details.getByRole('button', { name: 'Put in quarantine' }).click()
  await expect(details.getByText('Take out of quarantine')).toBeVisible()
  await details.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(grid.getByRole('button', { name: '198.18.40.15: in quarantine' })).toBeFocused()

  await grid.getByRole('button', { name: '198.18.40.99: no IP' }).click()
  await page
    .getByRole('dialog', { name: 'Add IPs to Mapped' })
    .getByRole('button', { name: 'Add IP' })
    .click()
  await expect(page.getByText('198.18.40.99 was added to Mapped.', { exact: true })).toBeVisible()
  await expect(grid.getByRole('button', { name: '198.18.40.99: free' })).toBeVisible()
})

test('a block opens into a map of its own, which the address remembers', async ({ page, faults }) => {
  faults.allow(/status of 400/)
  await signIn(page)
  await page.goto('/datacenters/1/natnetworks')
  await page.getByRole('link', { name: 'Madrid carrier grade', exact: true }).click()
  await page.getByRole('tab', { name: 'Map' }).click()
  const blocks = page.getByRole('grid', { name: 'Addresses of 100.64.0.0/16' })
  await blocks.getByRole('button', { name: /^100\.64\.0\.0\/24: 255 of 256 addresses are IPs/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid', { name: 'Addresses of 100.64.0.0/24' })).toBeVisible()
  await expect(page.locator('[data-cell]:focus')).toHaveAttribute(
    'aria-label',
    /^100\.64\.0\.1: default SNAT of /,
  )
  await expect(page).toHaveURL(/block=100\.64\.0\.0%2F24/)
  await page.reload()
  await expect(page.getByRole('grid', { name: 'Addresses of 100.64.0.0/24' })).toBeVisible()
  await page.getByRole('grid').getByRole('button').first().focus()
  await page.keyboard.press('Backspace')
  await expect(blocks).toBeVisible()
  await expect(page.locator('[data-cell]:focus')).toHaveAttribute('aria-label', /^100\.64\.0\.0\/24/)
  await page.goBack()
  await expect(page.getByRole('grid', { name: 'Addresses of 100.64.0.0/24' })).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Blocks that contain this one' })
    .getByRole('link', { name: '100.64.0.0/16' })
    .click()
  await expect(blocks).toBeVisible()

  await page.goto(`${madridPublic}&block=10.0.0.0%2F24`)
  await expect(page.getByText('GEN-22')).toBeVisible()
  await page.getByRole('button', { name: 'Show the whole network' }).click()
  await expect(page.getByRole('grid', { name: 'Addresses of 203.0.113.0/24' })).toBeVisible()
})

test('the map has a table, for narrow screens, and for users who need other colours', async ({ page }) => {
  await signIn(page)
  await page.goto(madridPublic)
  const grid = page.getByRole('grid', { name: 'Addresses of 203.0.113.0/24' })
  await expect(grid).toBeVisible()
  await page.setViewportSize({ width: 400, height: 900 })
  await expect(grid.getByRole('row').first().getByRole('button')).toHaveCount(8)
  await expectAccessible(page)
  expect(await widthOf(page)).toBeLessThanOrEqual(400)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)

  // Where the system chooses the colours each state keeps a pattern of its own.
  await page.emulateMedia({ forcedColors: 'active' })
  const look = (name: string) =>
    grid
      .getByRole('button', { name })
      .first()
      .evaluate((cell) => {
        const { backgroundImage, boxShadow, borderStyle } = getComputedStyle(cell)
        return [backgroundImage, boxShadow, borderStyle].join()
      })
  const looks = await Promise.all(
    [': free', ': attached to', ': default SNAT', ': unavailable', ': in quarantine', ': no IP'].map(look),
  )
  expect(new Set(looks).size).toBe(looks.length)
  await page.emulateMedia({ forcedColors: 'none' })

  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page).toHaveURL(/view=table/)
  await expect(page.getByRole('row').nth(1)).toContainText('203.0.113.1')
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('button', { name: '203.0.113.2', exact: true }).click()
  await expect(page.getByRole('dialog', { name: '203.0.113.2' })).toBeVisible()
})
