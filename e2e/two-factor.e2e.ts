import type { Page } from 'playwright/test'
import { codeOf } from '#lib/tools/testing/totp'
import { apiAs } from './api'
import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { chosenPassword, newStrictEnterprise, newUser } from './people'

/** Signs in a new user with a password of their own choice. */
async function signInNewUser(page: Page, baseURL: string | undefined, enterprise?: number): Promise<string> {
  const { nick } = await newUser(apiAs(baseURL), enterprise)
  await signIn(page, nick, chosenPassword)
  return nick
}

async function beginEnrolment(page: Page, baseURL: string | undefined, enterprise?: number): Promise<void> {
  await signInNewUser(page, baseURL, enterprise)
  await page.goto('/account/two-factor')
}

async function signOutAndIn(page: Page, nick: string): Promise<void> {
  await page.getByRole('button', { name: nick, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('User name').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(chosenPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Chooses the app, and reads its key. */
async function readKey(page: Page): Promise<string> {
  await next(page)
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  return (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Turn on' }).click()
}

/** Chooses the app, and proves its first code. Returns the key. */
async function turnOn(page: Page): Promise<string> {
  const secret = await readKey(page)
  await typeCode(page, codeOf(secret))
  await expect(flash(page, 'Two factor authentication is on')).toBeVisible()
  return secret
}

async function readScratchCodes(page: Page): Promise<string[]> {
  const items = page.getByRole('list', { name: 'Scratch codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  return (await items.allInnerTexts()).map((code) => code.replaceAll(/\D/g, ''))
}

/** Types the code that is asked for. */
async function showThatCodesAreKept(page: Page, codes: string[]): Promise<void> {
  const question = page.getByLabel(/Type your code number \d+/)
  const [number] = /\d+/.exec(await page.getByText(/^Type your code number/).innerText()) ?? []
  await question.fill(codes[Number(number) - 1] ?? '')
  await page.getByRole('button', { name: 'Next' }).click()
}

const flash = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text)

const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click()

test('a user enrols by the key, proves a code, signs in with code and scratch code, and turns it off', {
  tag: always,
}, async ({ page, baseURL, faults }) => {
  faults.allow(/status of (401|409)/)
  const nick = await signInNewUser(page, baseURL)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Set up' }).click()
  await expect(page.getByRole('radio', { name: 'E-mail' })).toBeDisabled()
  await expect(page.getByText('this installation has no mail server')).toBeVisible()
  const secret = await readKey(page)
  await expectAccessible(page)
  const right = codeOf(secret)
  await typeCode(page, right === '000000' ? '000001' : '000000')
  await expect(page.getByText('This code is not right')).toBeVisible()
  await typeCode(page, codeOf(secret))
  await expect(flash(page, 'Two factor authentication is on')).toBeVisible()

  const scratchCodes = await readScratchCodes(page)
  expect(new Set(scratchCodes).size).toBe(10)
  await expectAccessible(page)
  await next(page)
  await showThatCodesAreKept(page, scratchCodes)
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
  await expect(page.getByText('The setup is not finished')).toHaveCount(0)

  await signOutAndIn(page, nick)
  await page.getByText('Lost your phone and your scratch codes?').click()
  await expect(
    page.getByText(`Ask them yourself, by phone or in person, and give your user name: ${nick}.`),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask for a reset' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Verification code' })).toBeVisible()
  await page.getByLabel('Code').fill(scratchCodes[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText('Scratch codes left').locator('../..')).toContainText('9')

  await page.getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Verification code')).toBeFocused()
  await dialog.getByLabel('Verification code').fill(scratchCodes[0] ?? '')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(dialog.getByText('This code was not accepted')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Verification code').fill(scratchCodes[1] ?? '')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(flash(page, 'Two factor authentication is off')).toBeVisible()
})

test('the enrolment requires proof that the scratch codes are kept', async ({ page, baseURL }) => {
  await beginEnrolment(page, baseURL)
  await turnOn(page)
  const codes = await readScratchCodes(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  await next(page)
  await expect(page.getByRole('list', { name: 'Scratch codes' })).toHaveCount(0)

  await next(page)
  await expect(page.getByText(/^Type code number \d+, or choose the file/)).toBeVisible()
  await page.getByLabel(/Type your code number/).fill('00000000')
  await next(page)
  await expect(page.getByText(/This is not your code number/)).toBeVisible()
  const input = page.locator('input[type=file]')
  const part = Buffer.from(codes.slice(1).join('\n'))
  await input.setInputFiles({ name: 'other.txt', mimeType: 'text/plain', buffer: part })
  await expect(page.getByText('other.txt does not hold all of your codes')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Show the codes again' }).click()
  expect(await readScratchCodes(page)).toEqual(codes)
  await next(page)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await input.setInputFiles(await download.path())
  await expect(page.getByText('holds all ten codes')).toBeVisible()
  await expectAccessible(page)
  expect(sent).toEqual([])
  await next(page)
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
})

test('a code from a phone with a wrong clock gets an explanation', async ({ page, baseURL, faults }) => {
  faults.allow(/status of 409/)
  await beginEnrolment(page, baseURL)
  const secret = await readKey(page)
  await typeCode(page, codeOf(secret, Date.now() + 300_000))
  await expect(page.getByText('The clock of your phone is about 5 minutes ahead')).toBeVisible()
  await expectAccessible(page)
})

test('a user who leaves before trying a code can turn it off again on the way out', async ({
  page,
  baseURL,
}) => {
  await beginEnrolment(page, baseURL)
  await readKey(page)
  await page.getByRole('link', { name: 'Leave' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('No code was right yet')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await page.getByRole('link', { name: 'Leave' }).click()
  await dialog.getByRole('button', { name: 'Leave and turn it off' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
  await expect(flash(page, 'Two factor authentication is off again')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Set up' })).toBeVisible()
})

test('a user who must have two factor and turns it off on the way out begins again', async ({
  page,
  api,
  baseURL,
}) => {
  const enterprise = await newStrictEnterprise(api)
  await beginEnrolment(page, baseURL, enterprise.id)
  await readKey(page)
  await page.getByRole('link', { name: 'Leave' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave and turn it off' }).click()
  await expect(flash(page, 'Two factor authentication is off again')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Authenticator app' })).toBeVisible()
})

test('a lid that is closed before the first code locks nobody out: the next sign-in goes on with a new key', async ({
  page,
  baseURL,
  browser,
}) => {
  page.on('dialog', (question) => question.accept())
  const nick = await signInNewUser(page, baseURL)
  await page.goto('/account/two-factor')
  const first = await readKey(page)
  await page.goto('about:blank')
  await page.context().clearCookies()

  const later = await (await browser.newContext()).newPage()
  await later.goto(`${baseURL}/scopes`)
  await later.getByLabel('User name').fill(nick)
  await later.getByLabel('Password', { exact: true }).fill(chosenPassword)
  await later.getByRole('button', { name: 'Sign in' }).click()
  await expect(later.getByRole('heading', { level: 1 })).toHaveText('Set up two factor authentication')
  await expect(later.getByText('The setup is not finished')).toBeVisible()
  await expectAccessible(later)
  await later.goto(`${baseURL}/account`)
  await expect(later.getByRole('heading', { level: 1 })).toHaveText('Set up two factor authentication')
  const second = await turnOn(later)
  expect(second).not.toBe(first)
  await next(later)
  await expect(later.getByText('Have you saved them?')).toBeVisible()
  await later.context().close()
})

test('an enrolment interrupted by a reload is undone or started again', async ({ page, baseURL }) => {
  page.on('dialog', (question) => question.accept())
  await beginEnrolment(page, baseURL)
  const first = await readKey(page)
  await page.reload()
  await expect(page.getByText('The setup is not finished')).toBeVisible()
  await expectAccessible(page)
  const second = await readKey(page)
  expect(second).not.toBe(first)

  await page.goto('/account')
  await expect(page.getByText('The setup is not finished')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo the setup' }).click()
  await expect(flash(page, 'Two factor authentication is off again')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Set up' })).toBeFocused()

  await page.getByRole('link', { name: 'Set up' }).click()
  await readKey(page)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Go on' }).click()
  await turnOn(page)
  await page.goto('/account')
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  await expect(page.getByText('The setup is not finished')).toHaveCount(0)
})

test('new scratch codes take the place of the earlier ones', async ({ page, baseURL, faults }) => {
  faults.allow(/status of 401/)
  page.on('dialog', (question) => question.accept())
  await beginEnrolment(page, baseURL)
  const secret = await turnOn(page)
  const old = await readScratchCodes(page)
  await page.goto('/account')
  await page.getByRole('button', { name: 'New scratch codes' }).click()
  const dialog = page.getByRole('dialog')
  // A code of the app works once, and the first one has turned two factor on.
  await dialog.getByLabel('Verification code').fill(codeOf(secret, Date.now() + 30_000))
  await dialog.getByRole('button', { name: 'Generate new codes' }).click()
  await expect(dialog.getByRole('heading', { name: 'Your new scratch codes' })).toBeVisible()
  const fresh = await readScratchCodes(page)
  expect(fresh.filter((code) => old.includes(code))).toEqual([])
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(flash(page, 'You have ten new scratch codes')).toBeVisible()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Verification code').fill(old[0] ?? '')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(dialog.getByText('This code was not accepted')).toBeVisible()
  await dialog.getByLabel('Verification code').fill(fresh[0] ?? '')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(flash(page, 'Two factor authentication is off')).toBeVisible()
})

test('who has lost the phone reads who can help, and sets up the new one after a scratch code', async ({
  page,
  baseURL,
  faults,
}) => {
  faults.allow(/status of 401/)
  const nick = await signInNewUser(page, baseURL)
  await page.goto('/account/two-factor')
  const lost = await turnOn(page)
  const codes = await readScratchCodes(page)
  await next(page)
  await showThatCodesAreKept(page, codes)
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()

  await signOutAndIn(page, nick)
  await page.getByText('Lost your phone and your scratch codes?').click()
  await expect(page.getByText(/^An administrator of your enterprise can help/)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Code').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(flash(page, 'You signed in with a scratch code')).toBeVisible()
  await expect(flash(page, '9 are left.')).toBeVisible()
  await page.getByRole('link', { name: 'Set up the new phone' }).click()

  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Verification code').fill(codes[1] ?? '')
  await dialog.getByRole('button').last().click()
  expect(await turnOn(page)).not.toBe(lost)
})
