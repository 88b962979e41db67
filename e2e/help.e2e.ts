import { globSync } from 'node:fs'
import { expect, expectAccessibleAtAnyWidth } from './fixtures'
import { test } from './untouched'

// How tests are tested is for contributors alone.
const documents = globSync('docs/{*,api/*,decisions/index}.md', { exclude: ['docs/mutation-testing.md'] })
  .map((file) => file.slice('docs/'.length).replace(/(\/index)?\.md$/, ''))
  .sort()

test.describe.configure({ mode: 'parallel' })

for (const document of documents) {
  test(`the help shows ${document} to everybody, with its pictures and links`, async ({ page, signedIn }) => {
    await page.context().addCookies(signedIn.cookies)
    await page.goto(`/help/${document}`)
    const article = page.getByRole('article')
    await expect(article.getByRole('heading', { level: 2 })).toHaveCount(1)
    for (const picture of await article.getByRole('img').all())
      await expect
        .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBeGreaterThan(0)
    await expectAccessibleAtAnyWidth(page)
  })
}

test('a screen leads to the heading that explains it, and a decision opens from the list', async ({
  page,
  signedIn,
}) => {
  await page.context().addCookies(signedIn.cookies)
  await page.goto('/scopes')
  await page.getByRole('link', { name: 'Help: Scopes' }).click()
  const article = page.getByRole('article')
  await expect(article.getByRole('heading', { name: 'Scope', exact: true })).toBeInViewport()

  const documents = page.getByRole('navigation', { name: 'Documents' })
  await documents.getByRole('link', { name: 'The API' }).click()
  await article.getByRole('link', { name: 'Webhooks' }).click()
  await expect(article.getByRole('heading', { level: 2 })).toHaveText('Webhooks')
  await expect(documents.getByRole('link', { name: 'Webhooks' })).toHaveAttribute('aria-current', 'page')

  await documents.getByRole('link', { name: 'Decisions' }).click()
  await article.getByRole('link', { name: 'SQLite embedded, PostgreSQL to scale' }).click()
  await expect(article.getByRole('heading', { level: 2 })).toHaveText('SQLite embedded, PostgreSQL to scale')

  await page.goto('/help/nothing')
  await expect(page.getByText('There is no such document')).toBeVisible()
})
