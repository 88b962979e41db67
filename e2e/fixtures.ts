import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type axe from 'axe-core'
import { test as base, expect, type Page } from 'playwright/test'
import { always, isLong } from '#lib/tools/testing/search'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { type Api, apiAs } from './api'

export { always, expect }

type Fixtures = {
  /** The administrator's hand behind the scenes, to set a test up. */
  api: Api
  /**
   * Each test fails on errors in the browser's log (a throw, a content policy, a refused request), except for those that it announces here.
   */
  faults: { allow(message: RegExp): void }
}

const prepared = new WeakSet<Page>()

/** React Aria announces changes to screen readers in a separate element, which text queries must ignore. */
function findTextsOnce(page: Page): void {
  if (prepared.has(page)) return
  prepared.add(page)
  const texts = page.getByText.bind(page)
  const shown = page.locator(':not([data-live-announcer] *)')
  page.getByText = (...wanted) => texts(...wanted).and(shown)
}

export const test = base.extend<Fixtures>({
  api: async ({ baseURL }, use) => use(apiAs(baseURL)),
  page: async ({ page }, use) => {
    findTextsOnce(page)
    await use(page)
  },
  faults: [
    async ({ context, baseURL }, use) => {
      const seen: string[] = []
      const allowed: RegExp[] = []
      context.on('weberror', (fault) => seen.push(String(fault.error().stack)))
      context.on('console', (message) => {
        if (message.type() !== 'error') return
        seen.push(`${message.text()} ${message.location().url.replace(baseURL ?? '', '')}`)
      })
      await use({ allow: (message) => allowed.push(message) })
      expect(seen.filter((fault) => !allowed.some((message) => message.test(fault)))).toEqual([])
    },
    { auto: true },
  ],
})

/** Signs in past the sign-in screen; the next page that is opened is this user's. */
export async function signIn(page: Page, nick = adminNick, password = adminPassword): Promise<void> {
  // It ends the session of an open page, whose requests under way would be refused with 401.
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  const response = await page.request.post('/api/session', { data: { nick, password } })
  expect(response.status(), `${nick} signs in`).toBe(200)
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Every checked page parses it again: minified it is less than half as long. */
const axeSource = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8')

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const rulesNamed = (...values: string[]): axe.RunOptions => ({ runOnly: { type: 'rule', values } })

/** WCAG 2.2 AA. */
const everything: axe.RunOptions = { runOnly: { type: 'tag', values: standards } }

/** Takes most of axe's time. */
const contrast = 'color-contrast'
const structure: axe.RunOptions = { ...everything, rules: { [contrast]: { enabled: false } } }

/** Only contrast, the one difference between the themes. */
export const contrastAlone = rulesNamed(contrast)

/** The document has one main part, and its headings and parts are in order. */
export const outline = rulesNamed('heading-order', 'landmark-no-duplicate-main', 'landmark-unique')

/** Checks the theme that is on. Where a dialog is open nothing else can be used, so only the dialog is checked. */
export async function expectNoBarrier(page: Page, rules = everything): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const found = await page.evaluate(
    async (options) => {
      // The page hears of another theme in its next frame, and a color on its way from one to the other is neither's.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
      const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
      await Promise.allSettled(changes.map(({ finished }) => finished))
      const dialogs = [...document.querySelectorAll('[role=dialog]')].filter((dialog) =>
        dialog.checkVisibility(),
      )
      const { violations } = await window.axe.run(dialogs.length > 0 ? dialogs : document, options)
      return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
    },
    { resultTypes: ['violations'], ...rules, preload: false } satisfies axe.RunOptions,
  )
  expect(found).toEqual([])
}

/** Checks accessibility in light and in dark. The themes differ only in contrast, which a short run checks on one screen of each kind. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!isLong) return expectNoBarrier(page, structure)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoBarrier(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoBarrier(page, contrastAlone)
}

/** The same on a narrow and on a wide screen, which it leaves open. Colors do not depend on the width. */
export async function expectAccessibleAtAnyWidth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 400, height: 900 })
  await expectNoBarrier(page, structure)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)
}
