import type { Browser, Page } from 'playwright/test'
import { freePort } from '#lib/tools/testing/free-port'
import { startProvider } from '#lib/tools/testing/oidc-provider'
import { startServer } from '#lib/tools/testing/own-server'
import { adminNick } from '#lib/tools/testing/settings'
import { expect, expectAccessible, expectAccessibleAtAnyWidth, signIn, test } from './fixtures'
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

const flash = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text)

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
  await expectAccessibleAtAnyWidth(page)
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
  await expect(flash(page, 'Safari on iOS at 127.0.0.1 was already signed out.')).toBeVisible()
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(1)
  await other.context().close()
})

test('all other sessions end at once, including programs; the current one continues', async ({
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
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(sessions(page).getByRole('rowheader')).toHaveCount(3)

  await page.getByRole('button', { name: 'End all others' }).click()
  await dialog.getByRole('button', { name: 'End all others' }).click()
  await expect(flash(page, 'You are signed out everywhere except here.')).toBeVisible()
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
  await page.getByLabel('Current password').fill(old)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Change the password' }).click()
}

test('after a change of the password the old one is refused, and other browsers are signed out', async ({
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
  await expect(page.getByText('Enter your current password')).toBeVisible()
  await expect(page.getByLabel('Current password')).toBeFocused()
  await expectAccessible(page)
  await tryPasswords(page, person.password, person.nick)
  await expect(page.getByText('This is your user name')).toBeVisible()
  await expect(page.getByLabel('New password')).toBeFocused()
  await tryPasswords(page, person.password, 'too short')
  await expect(page.getByText('9 of at least 12 characters').first()).toBeVisible()
  const next = 'another four words'
  await tryPasswords(page, 'not this one', next)
  await expect(page.getByText('This is not your current password')).toBeVisible()
  await expect(page.getByLabel('Current password')).toBeFocused()

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

test('wrong attempts at the old password wait, and the wait is shown', async ({ page, faults, api }) => {
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
  await expectAccessible(page)
})

test('a password chosen by an administrator must be changed before anything else', async ({ page, api }) => {
  const { nick, password } = await newcomer(api)
  await page.goto('/account')
  await page.getByLabel('User name').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Choose your own password')
  await expect(page.getByText('Your password was set by somebody else')).toBeVisible()
  await expect(page.getByLabel('New password')).toBeVisible()
  // It was typed a moment ago. After a reload the page no longer knows it.
  await expect(page.getByLabel('Current password')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await expectAccessibleAtAnyWidth(page)
  for (const path of ['/', '/account', '/account/two-factor', '/api-reference']) {
    await page.goto(path)
    await expect(heading).toHaveText('Choose your own password')
  }
  await tryPasswords(page, password, password)
  await expect(page.getByText('This is your current password')).toBeVisible()
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
  await page.goto('/')
  await page.getByLabel('User name').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Choose your own password')
  await page.getByLabel('New password').fill('four words in a row')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(heading).toHaveText('Set up two factor authentication')
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('a profile is changed, and the whole console speaks the new language without a reload', async ({
  page,
  context,
  api,
}) => {
  const person = await newUser(api)
  await signIn(page, person.nick, person.password)
  const beside = await context.newPage()
  await beside.goto('/account/two-factor')
  await page.goto('/account')
  await expect(sessions(page).getByText(/[AP]M$/)).toBeVisible()
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await expect(heading(page, 'Edit your profile')).toBeVisible()

  await page.getByLabel('First name').fill(' ')
  await page.getByLabel(/^E-mail/).fill('nobody')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter 1 to 128 characters.')).toBeVisible()
  await expect(page.getByText('This is not an e-mail address')).toBeVisible()
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.getByRole('combobox', { name: 'Language' }).click()
  await expectAccessible(page)
  await page.getByPlaceholder('Find languages and countries').fill('es_E')
  await page.getByRole('option', { name: 'Spanish (Spain)' }).click()
  await expect(page.getByText(/1\.234\.567,89$/)).toBeVisible()
  await page.getByRole('link', { name: 'My account' }).last().click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay' }).click()

  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
  await page.getByLabel('First name').fill('Ana')
  await page.getByLabel('Surname').fill('Berg')
  await page.getByLabel(/^E-mail/).fill(`${person.nick}@example.org`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(heading(page, 'Mi cuenta')).toBeVisible()
  await expect(page.getByText('Su perfil se ha guardado.', { exact: true })).toBeVisible()
  await expect(page.getByText('Ana Berg', { exact: true }).filter({ visible: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Eventos', exact: true })).toBeVisible()
  const table = page.getByRole('grid', { name: 'Sesiones' })
  await expect(table.getByText(/^\d{1,2} [a-z]{3,4} 20\d\d, \d{1,2}:\d\d$/)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page.locator('body[data-same-page]')).toBeVisible()
  await expect(heading(beside, 'Configurar la autenticación de dos factores')).toBeVisible()
  await page.reload()
  await expect(heading(page, 'Mi cuenta')).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Apellidos')).toHaveValue('Berg')
})

test('a profile that was changed elsewhere, or is refused, loses nothing that was typed', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of (409|412)/)
  const person = await newUser(api)
  await signIn(page, person.nick, person.password)
  await page.goto('/account/profile')
  await page.getByRole('textbox', { name: /^Description/ }).fill('Keeps the networks')
  const { id, enterprise } = await (await page.request.get('/api/session')).json()
  const address = `/api/admin/enterprises/${enterprise.id}/users/${id}`
  const user = await (await page.request.get(address)).json()
  const elsewhere = await page.request.put(address, { data: { ...user, surname: 'Berg' } })
  expect(elsewhere.status()).toBe(200)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changed by somebody else', { exact: true })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Berg' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Description/ })).toHaveValue('Keeps the networks')
  await expectAccessible(page)

  const refusal = {
    links: [],
    collection: [{ code: '2FA-5', field: 'email', message: 'EMAIL needs an address' }],
  }
  await page.route(`**${address}`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 409, headers: { 'x-request-id': 'of-the-refusal' }, json: refusal })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('textbox', { name: /^E-mail/ })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('of-the-refusal')).toBeVisible()
  await page.unroute(`**${address}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(flash(page, 'Your profile is saved.')).toBeVisible()
  expect(await (await page.request.get(address)).json()).toMatchObject({
    surname: 'Berg',
    description: 'Keeps the networks',
  })
})

test('a user who signs in by OpenID Connect sees and renews their tokens', async ({ page, faults }) => {
  // The pages of the provider are not ours.
  faults.allow(/./)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const accounts = new Map([[adminNick, { preferred_username: adminNick }]])
  const provider = await startProvider({ origins: [origin], accounts })
  const scopes = { OIDC_SCOPES: 'openid profile email offline_access' }
  const server = await startServer({ ...provider.settings, ...scopes, PORT: String(port) })
  try {
    await page.goto(`${origin}/account`)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await page.getByPlaceholder('Enter any login').fill(adminNick)
    await page.getByPlaceholder('and password').fill('whatever')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page, 'My account')).toBeVisible()
    await expect(page.getByText('Change your password and your second factor there')).toBeVisible()

    const token = page.getByText(/^[\w-]{43}$/)
    await expect(page.getByRole('button', { name: 'Copy the refresh token' })).toBeVisible()
    await expect(page.getByText(/^in (9|10) minutes$/)).toBeVisible()
    await expect(token).toHaveCount(0)
    await page.getByRole('button', { name: 'Show the access token' }).click()
    const first = await token.innerText()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Get new tokens' }).click()
    await expect(flash(page, 'You have new tokens.')).toBeVisible()
    await expect(token).not.toHaveText(first)
    await page.getByRole('button', { name: 'Hide the access token' }).click()
    await expect(token).toHaveCount(0)

    await provider.goDown()
    await page.getByRole('button', { name: 'Get new tokens' }).click()
    await expect(flash(page, 'The tokens could not be renewed')).toBeVisible()
    await expect(page.getByText(/Request id/)).toBeVisible()
    await page.getByRole('link', { name: 'Edit profile' }).click()
    await expect(page.getByText('may replace your name and e-mail at your next sign-in')).toBeVisible()
  } finally {
    await server.stop()
    await provider.goDown()
  }
})
