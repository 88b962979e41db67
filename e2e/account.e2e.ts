import type { Browser, Page } from 'playwright/test'
import { expect, expectAccessible, inBothThemes, signIn, test } from './fixtures'
import { newcomer, newStrictEnterprise, newUser, type Person } from './people'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'

/** The same person in another browser. */
async function elsewhere(browser: Browser, baseURL: string | undefined, person: Person, userAgent?: string) {
  const context = await browser.newContext({ baseURL, ...(userAgent && { userAgent }) })
  const page = await context.newPage()
  await signIn(page, person.nick, person.password)
  await page.goto('/account')
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
  return page
}

/** A program that signs in once and then sends its token. */
async function programOf({ nick, password }: Person, baseURL: string | undefined) {
  const url = new URL('/api/login', baseURL)
  const call = (authorization: string) =>
    fetch(url, { headers: { authorization, 'user-agent': 'curl/8.5.0', accept: 'application/json' } })
  const basic = await call(`Basic ${Buffer.from(`${nick}:${password}`).toString('base64')}`)
  const token = basic.headers.get('x-service-token')
  return { status: async () => (await call(`Token ${token}`)).status }
}

const sessions = (page: Page) => page.getByRole('grid', { name: 'Sessions' })

const flash = (page: Page, text: string) => page.getByRole('list', { name: 'Notifications' }).getByText(text)

async function expectSignedOut(page: Page): Promise<void> {
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
}

test('the sessions are listed, and one that is ended is signed out', async ({
  page,
  browser,
  baseURL,
  api,
}) => {
  const person = await newUser(api)
  const other = await elsewhere(browser, baseURL, person, phone)
  const program = await programOf(person, baseURL)
  expect(await program.status()).toBe(200)
  await signIn(page, person.nick, person.password)
  await page.goto('/account')

  await expect(sessions(page).getByRole('rowheader')).toHaveText([
    /^Chrome on Linux\s*This session$/,
    'Program (curl 8.5)',
    'Safari on iOS',
  ])
  await expect(sessions(page).getByRole('button', { name: /^End / })).toHaveCount(2)
  await inBothThemes(page, async () => {
    for (const width of [400, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page)
    }
  })
  await sessions(page)
    .getByRole('button', { name: /^End Safari on iOS at 127\.0\.0\.1, since / })
    .click()
  await expect(flash(page, 'Safari on iOS at 127.0.0.1 is signed out.')).toBeVisible()
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(2)
  await expectSignedOut(other)
  expect(await program.status()).toBe(200)
  await other.context().close()
})

test('a session that was ended in the meantime is no failure', async ({
  page,
  browser,
  baseURL,
  faults,
  api,
}) => {
  faults.allow(/status of 404/)
  const person = await newUser(api)
  const other = await elsewhere(browser, baseURL, person, phone)
  await signIn(page, person.nick, person.password)
  await page.goto('/account')
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(2)
  await other.request.delete('/api/session')
  await sessions(page)
    .getByRole('button', { name: /^End Safari/ })
    .click()
  await expect(flash(page, 'Safari on iOS at 127.0.0.1 was signed out already.')).toBeVisible()
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(1)
  await other.context().close()
})

test('all other sessions end at once, programs too; this one goes on', async ({
  page,
  browser,
  baseURL,
  api,
}) => {
  const person = await newUser(api)
  const others = [await elsewhere(browser, baseURL, person), await elsewhere(browser, baseURL, person, phone)]
  const program = await programOf(person, baseURL)
  await signIn(page, person.nick, person.password)
  await page.goto('/account')
  await page.getByRole('button', { name: 'End all others' }).click()
  const dialog = page.getByRole('dialog', { name: 'End all other sessions?' })
  await expect(dialog).toBeVisible()
  await inBothThemes(page, () => expectAccessible(page))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(3)

  await page.getByRole('button', { name: 'End all others' }).click()
  await dialog.getByRole('button', { name: 'End all others' }).click()
  await expect(flash(page, 'You are signed out everywhere but here.')).toBeVisible()
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(1)
  for (const other of others) {
    await expectSignedOut(other)
    await other.context().close()
  }
  expect(await program.status()).toBe(401)
  await page.reload()
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(1)
})

async function tryPasswords(page: Page, old: string, next: string): Promise<void> {
  await page.getByLabel('Password now').fill(old)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Change the password' }).click()
}

test('the password is changed: the old one signs nobody in, and other browsers are signed out', async ({
  page,
  browser,
  baseURL,
  faults,
  api,
}) => {
  faults.allow(/status of 409/)
  const person = await newUser(api)
  const other = await elsewhere(browser, baseURL, person)
  await signIn(page, person.nick, person.password)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Change your password' })).toBeVisible()

  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('Enter the password that you have now')).toBeVisible()
  await expect(page.getByLabel('Password now')).toBeFocused()
  await inBothThemes(page, () => expectAccessible(page))
  await tryPasswords(page, person.password, person.nick)
  await expect(page.getByText('This is your nick')).toBeVisible()
  await expect(page.getByLabel('New password')).toBeFocused()
  await tryPasswords(page, person.password, 'too short')
  await expect(page.getByText('9 of at least 12 characters').first()).toBeVisible()
  const next = 'another four words'
  await tryPasswords(page, 'not this one', next)
  await expect(page.getByText('This is not the password that you have now')).toBeVisible()
  await expect(page.getByLabel('Password now')).toBeFocused()

  await tryPasswords(page, person.password, next)
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible()
  await expect(flash(page, 'Your password is changed')).toBeVisible()
  await expectSignedOut(other)
  await other.context().close()
  const status = async (password: string) =>
    (await page.request.post('/api/session', { data: { nick: person.nick, password } })).status()
  expect(await status(person.password)).toBe(401)
  expect(await status(next)).toBe(200)
})

test('who guesses at the old password waits, and sees for how long', async ({ page, faults, api }) => {
  faults.allow(/status of (409|429)/)
  const person = await newUser(api)
  await signIn(page, person.nick, person.password)
  await page.goto('/account/password')
  const send = page.getByRole('button', { name: 'Change the password' })
  for (const guess of ['one', 'two', 'three', 'four', 'five', 'six']) {
    const answer = page.waitForResponse('/api/session/password')
    await tryPasswords(page, guess, 'another four words')
    await answer
    if (guess !== 'six') await expect(send).toBeEnabled()
  }
  await expect(page.getByText(/Too many wrong passwords\. Try again in (2\d|30) seconds/)).toBeVisible()
  await expect(send).toBeDisabled()
  await expect(page.getByLabel('New password')).toHaveValue('another four words')
  await inBothThemes(page, () => expectAccessible(page))
})

test('a password that somebody else chose is changed first, and nothing else is open', async ({
  page,
  api,
}) => {
  const { nick, password } = await newcomer(api)
  await page.goto('/account')
  await page.getByLabel('Nick').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Choose your own password')
  await expect(page.getByText('Your password was set by somebody else')).toBeVisible()
  await inBothThemes(page, async () => {
    for (const width of [400, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page)
    }
  })
  for (const path of ['/', '/account', '/account/two-factor', '/api-reference']) {
    await page.goto(path)
    await expect(heading).toHaveText('Choose your own password')
  }
  await tryPasswords(page, password, password)
  await expect(page.getByText('This is the password that you have now')).toBeVisible()
  await tryPasswords(page, password, 'four words in a row')
  await expect(heading).toHaveText(/^Good /)
  await page.goto('/account')
  await expect(heading).toHaveText('My account')
})

test('a new user of a strict enterprise chooses a password, then sets two factor up', async ({
  page,
  api,
}) => {
  const enterprise = await newStrictEnterprise(api)
  const { nick, password } = await newcomer(api, enterprise.id)
  await signIn(page, nick, password)
  await page.goto('/')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Choose your own password')
  await tryPasswords(page, password, 'four words in a row')
  await expect(heading).toHaveText('Set up two factor authentication')
})
