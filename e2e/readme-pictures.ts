import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, signIn } from './fixtures'
import { expectLoaded } from './looks'
import { test } from './untouched'

/* The pictures of README.md, of the sample cloud: `npm run pictures`. */

const folder = join(import.meta.dirname, '../docs/pictures')
const largest = 80_000

/** The browser draws the PNG on a canvas: no encoder of WebP has to be installed. Takes the best quality that is small enough. */
function toWebp(page: Page, png: Buffer): Promise<string | undefined> {
  return page.evaluate(
    async ([source, size]) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      const drawn = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map((quality) => canvas.toDataURL('image/webp', quality))
      return drawn.map((url) => url.slice(url.indexOf(',') + 1)).find((base64) => base64.length * 0.75 < size)
    },
    [`data:image/png;base64,${png.toString('base64')}`, largest] as const,
  )
}

async function take(page: Page, name: string): Promise<void> {
  await expectLoaded(page)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  // On a page without a content security policy, which would refuse the data URL.
  const blank = await page.context().newPage()
  const webp = await toWebp(blank, png)
  await blank.close()
  if (webp === undefined) throw new Error(`${name} is larger than ${largest} bytes`)
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(webp, 'base64'))
}

test('the address map of a network', async ({ page, signedIn }) => {
  await page.context().addCookies(signedIn.cookies)
  await page.goto('/datacenters/1/natnetworks/1?tab=map')
  await take(page, 'console')
})

test('the enrolment in two factor authentication', async ({ page }) => {
  await signIn(page, 'elena.ruiz.13')
  await page.goto('/account/two-factor')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await take(page, 'enrolment')
})
