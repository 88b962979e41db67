import type { Page } from 'playwright/test'
import { adminPassword } from '#lib/testing/settings'
import { codeOf } from '#lib/testing/totp'
import { expect, expectAccessible, inBothThemes, test } from './fixtures'

const nick = 'ana.berg.21'

async function signInByHand(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByLabel('Nick').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: nick }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
}

test('a user enrols by the key, proves a code, signs in with code and scratch code, and turns it off', async ({
  page,
  faults,
}) => {
  faults.allow(/status of (401|409)/)
  await signInByHand(page)
  await page.getByRole('link', { name: 'Set up' }).click()
  await page.getByRole('button', { name: 'Turn on' }).click()

  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await inBothThemes(page, () => expectAccessible(page))
  const secret = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
  await page.getByRole('button', { name: 'Next' }).click()

  const codes = await page.getByRole('list', { name: 'Scratch codes' }).getByRole('listitem').allInnerTexts()
  const scratchCodes = codes.map((code) => code.replaceAll(/\D/g, ''))
  expect(new Set(scratchCodes).size).toBe(10)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/then tick this box/)).toBeVisible()
  await page.getByLabel('I have kept these codes').check()
  await page.getByRole('button', { name: 'Next' }).click()

  const right = codeOf(secret)
  await page.getByLabel('Verification code').fill(right === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('This code is not right')).toBeVisible()
  await page.getByLabel('Verification code').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()

  await signOut(page)
  await signInByHand(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Verification code' })).toBeVisible()
  await page.getByLabel('Code').fill(scratchCodes[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
  await expect(page.getByText('Scratch codes left').locator('../..')).toContainText('9')

  await page.getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Verification code').fill(scratchCodes[0] ?? '')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(dialog.getByText('This code was not accepted')).toBeVisible()
  await dialog.getByLabel('Verification code').fill(scratchCodes[1] ?? '')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Two factor authentication is off')).toBeVisible()
})
