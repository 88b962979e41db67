import type { Page } from 'playwright/test'
import { words as english } from '#lib/words/en/words'
import { words as spanish } from '#lib/words/es/words'
import { expect } from './fixtures'
import { expectSettled } from './looks'

type Tree = { readonly [key: string]: string | Tree }

/** The messages that read alike in both languages. */
function alike(one: Tree, other: Tree): string[] {
  return Object.entries(one).flatMap(([key, value]) => {
    const twin = other[key]
    if (typeof value === 'string') return value === twin ? [value] : []
    return typeof twin === 'object' ? alike(value, twin) : []
  })
}

/** The texts on the screen, and the names for assistive technology. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isForeign = (element: Element | null) =>
      element?.closest('[lang="en"], code, script, style') != null
    const texts: (string | null)[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!isForeign(node.parentElement)) texts.push(node.textContent)
    }
    for (const name of [
      'aria-label',
      'placeholder',
      'title',
      'alt',
      'aria-description',
      'aria-roledescription',
    ]) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (!isForeign(element)) texts.push(element.getAttribute(name))
      }
    }
    texts.push(document.title)
    return [...new Set(texts.map((text) => (text ?? '').replaceAll(/\s+/g, ' ').trim()))]
  })

/** Every text in the answers of the API from now on: data, which is not translated. */
export function collectData(page: Page): Set<string> {
  const data = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') data.add(value.replaceAll(/\s+/g, ' ').trim())
    else if (Array.isArray(value)) value.forEach(collect)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inside] of Object.entries(value)) {
        data.add(key)
        collect(inside)
      }
    }
  }
  page.on('response', (response) => {
    if (response.url().includes('/api/')) void response.json().then(collect, () => undefined)
  })
  return data
}

/** Gives the session another language, which the open screen applies. */
export async function speakTo(page: Page, locale: string): Promise<void> {
  await page.route('**/api/session', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch({ maxRetries: 2 })
    if (response.status() !== 200) return route.fulfill({ response })
    return route.fulfill({ response, json: { ...(await response.json()), locale } })
  })
  await page.evaluate(() => new BroadcastChannel('console.session').postMessage({ type: 'session' }))
}

const letters = /\p{L}{2,}/u

/**
 * Switches the open screen to Spanish. An unchanged text is either data, or a message that is the same in both languages; any other is
 * untranslated.
 */
export async function expectTranslated(page: Page, data: ReadonlySet<string>): Promise<void> {
  const inEnglish = new Set(await textsOf(page))
  await speakTo(page, 'es_ES')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expectSettled(page)
  const same = new Set(alike(english, spanish))
  const isData = (text: string) =>
    data.has(text) ||
    [...data].some((value) => value.length > 3 && letters.test(value) && text.includes(value))
  const forgotten = (await textsOf(page)).filter(
    (text) => letters.test(text) && inEnglish.has(text) && !same.has(text) && !isData(text),
  )
  expect.soft(forgotten, 'texts that are not translated').toEqual([])
}
