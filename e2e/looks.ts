import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright/test'
import { contrastAlone, expect, expectNoBarrier, test } from './fixtures'
import { blankPage, difference, toWebp } from './webp'

/** The console's clock, and the times in all answers of the API. */
const now = '2026-03-14T10:30:00.000Z'
const then = '2026-03-14T09:15:00.000Z'

/**
 * Times are fixed, so that two pictures can differ only by the console itself. The page's own fetch replaces them, because with a route of
 * Playwright the browser would cache no script for the next page.
 */
export async function stopTheClock(page: Page): Promise<void> {
  await page.clock.setFixedTime(now)
  await page.addInitScript((time) => {
    const { fetch } = window
    window.fetch = async (...request) => {
      const response = await fetch(...request)
      if (!response.headers.get('content-type')?.includes('json')) return response
      const text = await response.text()
      return new Response(text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, time), response)
    }
  }, then)
}

/**
 * Waits until the opened page is idle: half a second without traffic and without changes. (Playwright's own `networkidle` misses the end of
 * a request now and then, and then waits for ever.)
 */
export async function expectLoaded(page: Page): Promise<void> {
  await page.evaluate(
    (rest) =>
      new Promise<void>((resolve) => {
        const finish = () => {
          for (const observer of observers) observer.disconnect()
          resolve()
        }
        let timer = setTimeout(finish, rest)
        const restart = () => {
          clearTimeout(timer)
          timer = setTimeout(finish, rest)
        }
        const changes = new MutationObserver(restart)
        const arrivals = new PerformanceObserver(restart)
        const observers = [changes, arrivals]
        changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
        arrivals.observe({ type: 'resource' })
      }),
    500,
  )
  await expectSettled(page)
}

/** Nothing of the open screen is being fetched or built up any more. */
export async function expectSettled(page: Page): Promise<void> {
  // A native one shows the progress of a task, and is no sign of loading.
  await expect(page.locator('[role=progressbar]')).toHaveCount(0)
  await expect(page.getByText(/^(Loading|Cargando)/).filter({ visible: true })).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** Endless animations take a tenth of a processor from every user who leaves the screen open, even out of sight. */
export async function expectAtRest(page: Page): Promise<void> {
  const endless = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations === Infinity)
        .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML : undefined)),
    )
  await expect.poll(endless, 'what moves without end').toEqual([])
}

/** Room for how another release of the browser draws the edge of a letter, not for a word more or less. */
const mostPixels = 0.002

/** With which a picture is stored. */
const quality = 0.7

/** Each run of the tests has another port. */
function hidePort(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    if (text.nodeValue?.includes(`:${location.port}/`))
      text.nodeValue = text.nodeValue.replace(`:${location.port}/`, ':3000/')
}

/** The screen looks as its picture in e2e/pictures. With `--update-snapshots` a picture that no longer matches is replaced. */
export async function expectPicture(page: Page, name: string): Promise<void> {
  const blank = await blankPage(page)
  const info = test.info()
  const file = info.snapshotPath(`${name}.webp`)
  const stored = existsSync(file) ? readFileSync(file) : undefined
  let png: Buffer = Buffer.alloc(0)
  const look = async () => {
    await page.evaluate(hidePort)
    png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    return stored ? difference(blank, png, quality, stored) : 1
  }
  let differs = await look()
  // Moving content is compared a second and a third time.
  for (let again = 0; again < 2 && differs > mostPixels; again++) {
    await expectSettled(page)
    differs = await look()
  }
  if (differs <= mostPixels) return
  const taken = await toWebp(blank, png, quality)
  const { updateSnapshots } = info.config
  if (updateSnapshots === 'all' || updateSnapshots === 'changed') {
    mkdirSync(dirname(file), { recursive: true })
    return writeFileSync(file, taken)
  }
  await info.attach(name, { body: taken, contentType: 'image/webp' })
  expect.soft(differs, `share of pixels that differ from ${name}.webp`).toBeLessThanOrEqual(mostPixels)
}

/** The screen wide in light and narrow in dark: looks as it did, and in both hides nothing from assistive technology. */
export async function expectLooks(page: Page, name: string): Promise<void> {
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 400],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 900 })
    await expectSettled(page)
    await expectPicture(page, `${name}-${theme}-${width}`)
    await expectNoBarrier(page, theme === 'dark' ? contrastAlone : undefined)
  }
}

/** How wide the page wants to be, with the part of the frame that scrolls. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement
    const main = document.querySelector('main')
    return Math.max(scrollWidth, main ? main.getBoundingClientRect().left + main.scrollWidth : 0)
  })

/** At 400 % on a screen of 1280 × 1024: no content needs scrolling in two directions (WCAG 1.4.10), except for two-dimensional content. */
export async function expectUsableAtFourTimes(page: Page): Promise<void> {
  const width = 320
  await page.setViewportSize({ width, height: 256 })
  await expectSettled(page)
  const wide = () => widthOf(page)
  await expect.configure({ soft: true }).poll(wide, 'pixels without scrolling').toBeLessThanOrEqual(width)
  await expect.soft(page.getByRole('heading', { level: 1 })).toBeVisible()
}
