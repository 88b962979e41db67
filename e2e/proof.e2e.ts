import type { Page } from 'playwright/test'
import { z } from 'zod'
import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { newUser } from './people'

const refusal = {
  links: [],
  collection: [{ code: 'SIGN-IN-6', message: 'Prove who you are' }],
}

/** The server answers the first such request as in an older session, so the test need not wait a quarter of an hour. */
async function grownOld(page: Page, method: string, address: RegExp): Promise<void> {
  let isFirst = true
  await page.route(address, (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback()
    isFirst = false
    return route.fulfill({ status: 403, json: refusal })
  })
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

test('a new e-mail address asks for the password over the open form, and is then saved', {
  tag: always,
}, async ({ page, api, faults }) => {
  faults.allow(/status of (403|409)/)
  const person = await newUser(api)
  await signIn(page, person.nick, person.password)
  await page.goto('/account/profile')
  await grownOld(page, 'PUT', /\/api\/admin\/enterprises\/\d+\/users\/\d+$/)
  const address = `${person.nick}@example.org`
  await page.getByLabel(/^E-mail/).fill(address)
  await page.getByRole('button', { name: 'Save' }).click()

  await expect(dialog(page)).toBeVisible()
  const password = dialog(page).getByLabel('Your password')
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('Enter your password.')).toBeVisible()
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('The password is wrong.')).toBeVisible()
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill(person.password)
  await page.keyboard.press('Enter')

  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Your profile is saved.')).toBeVisible()
  expect(await (await page.request.get('/api/session')).json()).toMatchObject({ email: address })
})

test('cancelling the proof leaves the form as it was typed', async ({ page, api, faults }) => {
  faults.allow(/status of 403/)
  const person = await newUser(api)
  await signIn(page, person.nick, person.password)
  await page.goto('/account/profile')
  await grownOld(page, 'PUT', /\/api\/admin\/enterprises\/\d+\/users\/\d+$/)
  await page.getByLabel(/^E-mail/).fill('somebody@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByLabel(/^E-mail/)).toHaveValue('somebody@example.org')
  await expect(page.getByText('SIGN-IN-6')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your profile is saved.')).toBeVisible()
})

test('a new secret asks for a proof first, in Spanish too, and is shown once', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 403/)
  const person = await newUser(api)
  await signIn(page, person.nick, person.password)
  const { id, enterprise } = await (await page.request.get('/api/session')).json()
  const user = `/api/admin/enterprises/${enterprise.id}/users/${id}`
  const document = await (await page.request.get(user)).json()
  expect((await page.request.put(user, { data: { ...document, locale: 'es_ES' } })).status()).toBe(200)
  const made = await (await page.request.post(`${user}/applications`, { data: { name: 'Robot' } })).json()

  await grownOld(page, 'POST', /\/action\/rotatesecret$/)
  await page.goto(`/account/applications/${made.id}`)
  await expect(page.getByText(made.apiKey)).toBeVisible()
  await expect(page.getByText(made.apiSecret)).toHaveCount(0)
  await page.getByRole('button', { name: 'Generar un nuevo secreto' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Generar un nuevo secreto' }).click()
  const spanish = page.getByRole('dialog', { name: 'Confirme que es usted' })
  await expect(spanish.getByLabel('Su contraseña')).toBeFocused()
  await page.keyboard.type(person.password)
  await spanish.getByRole('button', { name: 'Continuar' }).click()
  await expect(page.getByText('Solo se muestra esta vez')).toBeVisible()
  await expect(page.getByText(/^[\w-]{40}$/)).toBeVisible()
})

/** An authenticator of the browser that verifies its user and answers at once, so the browser offers no passkeys unasked. */
async function addAuthenticator(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  const tools = await page.context().newCDPSession(page)
  await tools.send('WebAuthn.enable')
  await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added, proves an identity, signs in alone, and ends with its user', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of (401|403)/)
  const person = await newUser(api)
  // Browsers have no passkeys at an IP address.
  const site = api.at('/').origin.replace('127.0.0.1', 'localhost')
  await addAuthenticator(page)
  const passkey = page.getByRole('button', { name: 'Sign in with a passkey' })

  await page.goto(`${site}/account`)
  await page.getByLabel('User name').fill(person.nick)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  await adding.getByLabel('Name').fill('Telephone')
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Telephone' })).toContainText('Never')

  await grownOld(page, 'PUT', /\/api\/session\/passkeys\/\d+$/)
  await page.getByRole('button', { name: 'Rename Telephone' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename Telephone' })
  await renaming.getByLabel('Name').fill('Pocket')
  await renaming.getByRole('button', { name: 'Rename' }).click()
  await dialog(page).getByText('Use a passkey instead').click()
  await expect(page.getByRole('row').filter({ hasText: 'Pocket' })).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${site}/account`)
  await expectAccessible(page)
  await passkey.click()
  await expect(page.getByRole('row').filter({ hasText: 'Pocket' })).not.toContainText('Never')

  const users = await api.get(
    `/api/admin/enterprises/1/users?has=${person.nick}`,
    z.object({ collection: z.array(z.object({ id: z.int() })) }),
  )
  await api.remove(`/api/admin/enterprises/1/users/${users.collection[0]?.id}`)
  await page.context().clearCookies()
  await page.goto(`${site}/account`)
  await passkey.click()
  await expect(page.getByText('The passkey was not accepted.')).toBeVisible()
})

test('at an IP address the account says why there are no passkeys, and where there are', async ({
  page,
  api,
}) => {
  const person = await newUser(api)
  await page.goto('/')
  await expect(page.getByLabel('User name')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await signIn(page, person.nick, person.password)
  await page.goto('/account')
  await expect(
    page.getByText('Browsers make no passkeys for 127.0.0.1, which is an IP address.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
  await expectAccessible(page)
  const site = api.at('/').origin.replace('127.0.0.1', 'localhost')
  await expect(page.getByRole('link', { name: site })).toHaveAttribute('href', `${site}/account`)
})
