import { expect, expectAccessible, inBothThemes, signIn, test } from './fixtures'

test('the tree opens level by level, and a search shows the way to each hit', async ({ page }) => {
  await signIn(page)
  await page.goto('/scopes')
  await expect(page.getByRole('link', { name: 'Europe' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeHidden()
  await page
    .getByRole('row', { name: /Europe/ })
    .getByRole('button')
    .first()
    .click()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()

  await page.getByLabel('Find scopes by name').fill('telecom')
  await expect(page.getByRole('link', { name: 'Jade Telecom', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Global scope' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Kestrel Logistics', exact: true })).toBeHidden()
  await page.getByLabel('Find scopes by name').fill('no scope is called so')
  await page.getByRole('button', { name: /clear/i }).last().click()
  await expect(page.getByRole('link', { name: 'Europe' })).toBeVisible()
})

test('a scope is created, renamed and deleted', async ({ page }) => {
  await signIn(page)
  await page.goto('/scopes/new?parent=2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Portugal')
  await page.getByRole('button', { name: 'Create scope' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Portugal' })).toBeVisible()
  const scope = new URL(page.url()).pathname

  await page.goto(`${scope}/edit`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Portugal and islands')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Portugal and islands' })).toBeVisible()

  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await inBothThemes(page, () => expectAccessible(page))
  await dialog.getByRole('textbox').fill('Portugal and islands')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Portugal and islands is deleted.')).toBeVisible()
})

test('a scope that others hang on says why it stays', async ({ page, faults }) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/scopes/2')
  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Europe')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('SCOPE-19')).toBeVisible()
})

test('a taken name is told at its field, and nothing typed is lost', async ({ page, faults }) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/scopes/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Europe')
  await page.getByRole('button', { name: 'Create scope' }).click()
  await expect(page.getByText(/SCOPE-0/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Europe')
})
