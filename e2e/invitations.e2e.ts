import { always, expect, expectAccessible, expectAccessibleAtAnyWidth, signIn, test } from './fixtures'
import { fresh, newStrictEnterprise } from './people'

const address = () => `${fresh('ada').replace(' ', '.')}@example.com`

test('an administrator invites by a mail address, and the colleague accepts on a phone', {
  tag: always,
}, async ({ page, browser, baseURL }) => {
  const email = address()
  await signIn(page)
  await page.goto('/users/new')
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('ENTERPRISE_VIEWER')
  await expect(page.getByLabel('User name')).toBeHidden()
  await page.getByLabel('E-mail').fill(email)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible()
  const link = await page.getByText(/^http\S+\/invitation#[\w-]{43}$/).innerText()
  await expectAccessible(page)
  await page.goto(`/users?has=${email}`)
  await expect(page.getByRole('row', { name: email }).getByText('Invited')).toBeVisible()

  const phone = await browser.newContext({ viewport: { width: 400, height: 800 } })
  const theirs = await phone.newPage()
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { level: 1, name: /^Welcome, ada/ })).toBeVisible()
  await expect(theirs).toHaveURL(/\/invitation$/)
  await expect(theirs.getByText(email)).toBeVisible()
  await expectAccessibleAtAnyWidth(theirs)
  await theirs.getByLabel('New password').fill('too short')
  await theirs.getByRole('button', { name: 'Set the password and sign in' }).click()
  await expect(theirs.getByText(/9 of at least 12/)).toBeVisible()
  await theirs.getByLabel('New password').fill('four words in a row')
  await theirs.getByRole('button', { name: 'Set the password and sign in' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible()
  expect(new URL(theirs.url()).origin).toBe(new URL(baseURL ?? '').origin)
  await theirs.goto(link)
  await expect(theirs.getByText('This invitation was already used or has expired')).toBeVisible()
  await phone.close()
})

test('an invitation is made anew, and leads to two factor where the enterprise requires it', async ({
  page,
  api,
  browser,
}) => {
  const enterprise = await newStrictEnterprise(api)
  const email = address()
  await signIn(page)
  await page.goto(`/users/new?enterprise=${enterprise.id}`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Create user' }).click()
  const shown = page.getByText(/^http\S+\/invitation#[\w-]{43}$/)
  const first = await shown.innerText()
  await page.reload()
  await expect(page.getByText(`${email} is invited and has not accepted yet`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New link to copy' }).click()
  await expect(shown).toBeVisible()
  const second = await shown.innerText()
  expect(second).not.toBe(first)

  const context = await browser.newContext()
  const theirs = await context.newPage()
  await theirs.goto(first)
  await expect(theirs.getByText('This invitation was already used or has expired')).toBeVisible()
  await theirs.goto('about:blank')
  await theirs.goto(second)
  await expect(theirs.getByText(/requires two factor authentication. It comes next/)).toBeVisible()
  await theirs.getByLabel('New password').fill('four words in a row')
  await theirs.getByRole('button', { name: 'Set the password and sign in' }).click()
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Set up two factor authentication')
  await context.close()
})
