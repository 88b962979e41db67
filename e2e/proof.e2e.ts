import type { Page } from 'playwright/test'
import { expect, expectAccessible, signIn, test } from './fixtures'
import { newUser } from './people'

const refusal = {
  links: [],
  collection: [{ code: 'SIGN-IN-6', message: 'Prove who you are' }],
}

/** The server answers the first such request as in a session that began a while ago: nobody waits a quarter of an hour here. */
async function grownOld(page: Page, method: string, address: RegExp): Promise<void> {
  let isFirst = true
  await page.route(address, (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback()
    isFirst = false
    return route.fulfill({ status: 403, json: refusal })
  })
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

test('another e-mail address asks for the password over the open form, and then it is saved', async ({
  page,
  api,
  faults,
}) => {
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

test('to give up leaves the form as it was typed', async ({ page, api, faults }) => {
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
