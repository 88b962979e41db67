import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, signIn } from './fixtures'
import { expectLoaded } from './looks'
import { test } from './untouched'
import { blankPage, toWebp } from './webp'

/* The pictures of README.md, of the sample cloud: `npm run pictures`. */

const folder = join(import.meta.dirname, '../docs/pictures')
const largest = 80_000

/** Takes the best quality that is small enough. */
async function take(page: Page, name: string): Promise<void> {
  await expectLoaded(page)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const blank = await blankPage(page)
  for (const quality of [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]) {
    const webp = await toWebp(blank, png, quality)
    if (webp.length < largest) return writeFileSync(join(folder, `${name}.webp`), webp)
  }
  throw new Error(`${name} is larger than ${largest} bytes`)
}

test('the address map of a network', async ({ page, signedIn }) => {
  await page.context().addCookies(signedIn.cookies)
  await page.goto('/datacenters/1/natnetworks/1?tab=map')
  await take(page, 'console')
})

test('the enrolment in two factor authentication', async ({ page }) => {
  await signIn(page, 'elena.ruiz.13')
  await page.goto('/account/two-factor')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await take(page, 'enrolment')
})
