import type { Page } from 'playwright/test'
import { expect, signIn, test } from './fixtures'
import { expectLoaded } from './looks'

/** Class names that only the table and only the charts carry in their scripts. */
const table = 'awsui_tools-pagination'
const chart = 'awsui_chart-container'

/** The texts of the scripts that a screen brings, by address. */
async function scriptsOf(page: Page, address: string): Promise<Map<string, string>> {
  const answers: Promise<[string, string]>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      answers.push(response.text().then((text) => [response.url(), text]))
  })
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectLoaded(page)
  const scripts = await Promise.all(answers)
  expect(scripts.length, 'no script comes twice').toBe(new Map(scripts).size)
  return new Map(scripts)
}

test('the sign-in brings no table and no chart', async ({ page }) => {
  const entrance = [...(await scriptsOf(page, '/scopes')).values()].join()
  expect(entrance).not.toContain(table)
  expect(entrance).not.toContain(chart)
})

test('a list brings a table, and no chart', async ({ page }) => {
  await signIn(page)
  const list = [...(await scriptsOf(page, '/users')).values()].join()
  expect(list).toContain(table)
  expect(list).not.toContain(chart)
})
