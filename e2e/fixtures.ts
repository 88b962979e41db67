import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from 'playwright/test'
import { adminNick, adminPassword } from '#lib/testing/settings'
import { type Api, apiAs } from './api'

export { expect }

type Fixtures = {
  /** The administrator's hand behind the scenes, to set a test up. */
  api: Api
  /**
   * Each test fails on what the browser notes as an error (a throw, a content policy, a refused request), but for what
   * it announces here as its own doing.
   */
  faults: { allow(message: RegExp): void }
}

export const test = base.extend<Fixtures>({
  api: async ({ baseURL }, use) => use(apiAs(baseURL)),
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
  const response = await page.request.post('/api/session', { data: { nick, password } })
  expect(response.status(), `${nick} signs in`).toBe(200)
}

const accessibility = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(accessibility)
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html}`),
  )
  expect(found).toEqual([])
}

/** Does the same in light and in dark. */
export async function inBothThemes(page: Page, look: (theme: 'light' | 'dark') => Promise<void>) {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await look(theme)
  }
}
