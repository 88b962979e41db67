import { z } from 'zod'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { type Api, apiAs } from './api'
import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { type Mailbox, startMailbox } from './mailbox'
import { newStrictEnterprise, newUser } from './people'

test('a screen opened without a session leads to the sign-in and then opens', { tag: always }, async ({
  page,
}) => {
  await page.goto('/datacenters/1/natips?page=2')
  await page.getByLabel('User name').fill(adminNick)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'NAT IPs' })).toBeVisible()
  await expect(page).toHaveURL(/natips\?page=2/)
})

test('a wrong password and an unknown nick get the same message at the field', async ({ page, faults }) => {
  faults.allow(/status of 401/)
  await page.goto('/')
  for (const nick of [adminNick, 'nobody.at.all']) {
    await page.getByLabel('User name').fill(nick)
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: /Sign in|Try again/ }).click()
    await expect(page.getByText('The user name or the password is wrong')).toBeVisible()
    await expect(page.getByText('SIGN-IN-0')).toHaveCount(0)
    await expect(page.getByText('Request id')).toHaveCount(0)
  }
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([])
})

test.describe('in a browser that asks for Spanish', () => {
  test.use({ locale: 'es-MX' })

  test('the sign-in is in Spanish, and so are its refusals', async ({ page, faults }) => {
    faults.allow(/status of 401/)
    await page.goto('/forgot-password')
    await expect(page.getByText('Esta instalación no envía correo')).toBeVisible()
    await page.getByRole('link', { name: 'Volver al inicio de sesión' }).click()
    await expect(page).toHaveTitle('Iniciar sesión · Cloud console')
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
    await expect(page.getByText('Escriba su contraseña.')).toBeVisible()
    await page.getByLabel('Nombre de usuario').fill(adminNick)
    await page.getByLabel('Contraseña', { exact: true }).fill('not this one')
    await page.keyboard.press('Enter')
    await expect(page.getByText('El nombre de usuario o la contraseña no son correctos.')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Contraseña', { exact: true }).fill(adminPassword)
    await page.keyboard.press('Enter')
    // The console itself speaks the language of the account.
    await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})

test('signing out ends the session: its cookie opens nothing any more', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('User name').fill(adminNick)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible()
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'console', httpOnly: true, sameSite: 'Lax' })
  await page.getByRole('button', { name: adminNick }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  const stolen = await fetch(new URL('/api/login', page.url()), {
    headers: { cookie: `console=${cookie?.value}` },
  })
  expect(stolen.status).toBe(401)
})

test('no token is within the reach of a script', async ({ page }) => {
  await page.request.post('/api/session', { data: { nick: adminNick, password: adminPassword } })
  await page.goto('/scopes')
  await expect(page.getByRole('heading', { level: 1, name: 'Scopes' })).toBeVisible()
  const seen = await page.evaluate(async () => {
    const response = await fetch('/api/login', { headers: { accept: 'application/json' } })
    return {
      status: response.status,
      token: response.headers.get('x-service-token'),
      cookie: document.cookie,
    }
  })
  expect(seen).toEqual({ status: 200, token: null, cookie: '' })
})

test('too many failures start a countdown, and nothing typed is lost', async ({ page, api, faults }) => {
  faults.allow(/401|429/)
  const { nick, password } = await newUser(api)
  for (const _ of Array(5))
    expect((await page.request.post('/api/session', { data: { nick, password: 'wrong' } })).status()).toBe(
      401,
    )
  await page.goto('/')
  await page.getByLabel('User name').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/Try again in (2\d|30) seconds/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled()
  await expect(page.getByLabel('User name')).toHaveValue(nick)
  await expectAccessible(page)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled({ timeout: 40_000 })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible()
})

test('a user who must set up two factor is led to the enrolment, and nowhere else', async ({ page, api }) => {
  const enterprise = await newStrictEnterprise(api)
  const { nick, password } = await newUser(api, enterprise.id)
  await page.goto('/datacenters')
  await page.getByLabel('User name').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up two factor authentication')
  await expect(page.getByText(`${enterprise.name} requires two factor authentication`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  for (const path of ['/', '/account', '/scopes']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up two factor authentication')
  }
})

test('an installation without mail offers no new password, and names the contact', async ({ page }) => {
  const ways = page.waitForResponse('**/api/session/ways')
  await page.goto('/')
  expect(await (await ways).json()).toMatchObject({ passwordReset: false })
  await expect(page.getByRole('textbox', { name: 'User name' })).toBeFocused()
  await expect(page.getByRole('link', { name: /Forgot/ })).toHaveCount(0)
  await page.goto('/forgot-password')
  await expect(page.getByRole('heading', { level: 1, name: 'This does not work here' })).toBeFocused()
  await expect(page.getByText('Ask your administrator for a new password')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page.getByRole('textbox', { name: 'User name' })).toBeFocused()
})

test('a link that was used or has run out sets no password; its token stays in no address', async ({
  page,
  faults,
}) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/new-password#not-a-token')
  await expect(page.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeVisible()
  await expect(page).toHaveURL('/new-password')
  const password = page.getByRole('textbox', { name: 'New password' })
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill('too short')
  await password.press('Enter')
  await expect(page.getByText('This is too short: 9 of at least 12 characters')).toBeVisible()
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill('four words in a row')
  await password.press('Enter')
  const outcome = page.getByRole('heading', { level: 1, name: 'This link was already used or has expired' })
  await expect(outcome).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('the screen of a mailed link explains itself if the link is missing', async ({ page }) => {
  await page.goto('/new-password')
  await expect(page.getByRole('heading', { level: 1, name: 'Open the link in your mail' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

const roles = z.object({ collection: z.array(z.object({ id: z.int() })) })
const created = z.object({ id: z.int() })

async function newUserWithMail(
  api: Api,
  role = 'USER',
): Promise<{ id: number; nick: string; email: string }> {
  const { collection } = await api.get(`/api/admin/roles?has=${role}`, roles)
  const nick = `person-${crypto.randomUUID()}`
  const email = `${nick}@example.test`
  const links = [{ rel: 'role', href: `/api/admin/roles/${collection[0]?.id}` }]
  const user = { nick, email, name: 'Person', password: 'a password to forget', links }
  return { ...(await api.post('/api/admin/enterprises/1/users', user, created)), nick, email }
}

test.describe('where mail is sent', () => {
  let mailbox: Mailbox
  let server: OwnServer
  test.beforeAll(async () => {
    mailbox = await startMailbox()
    server = await startServer({ SMTP_URL: mailbox.url, MAIL_FROM: 'console@example.test' })
  })
  test.afterAll(async () => {
    await server.stop()
    await mailbox.stop()
  })

  test('a user with a forgotten password gets a link to a new one, and can then have codes mailed', async ({
    page,
    faults,
  }) => {
    faults.allow(/status of 401/)
    const { nick, email, id } = await newUserWithMail(apiAs(server.url))
    await page.goto(`${server.url}/account`)
    await page.getByRole('textbox', { name: 'User name' }).fill(nick)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(page.getByRole('textbox', { name: 'User name' })).toHaveValue(nick)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Check your mail' })).toBeFocused()
    await expectAccessible(page)

    const [link] = (await mailbox.textTo(email, /new password/)).match(/http\S+#\S+/) ?? []
    const password = 'four words in a row'
    await page.goto(link ?? '')
    await page.getByRole('textbox', { name: 'New password' }).fill(password)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await expect(page.getByText('Your new password is set')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'User name' })).toHaveValue('')
    await expectAccessible(page)

    const enable = `/api/admin/enterprises/1/users/${id}/action/enable2fa`
    await apiAs(server.url, nick, password).post(enable, { type: 'EMAIL' }, z.object({}))
    await page.getByRole('textbox', { name: 'User name' }).fill(nick)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const code = page.getByRole('textbox', { name: 'Code' })
    await expect(code).toBeFocused()
    await expect(page.getByText('We have mailed a code to the address of your account')).toBeVisible()
    await expect(page.getByText(/Request another code in \d+ seconds/)).toBeVisible()
    await expectAccessible(page)
    const [digits] = (await mailbox.textTo(email, /code/)).match(/\b\d{6}\b/) ?? []
    await code.fill(digits === '000000' ? '000001' : '000000')
    await code.press('Enter')
    await expect(page.getByText('Use the code of the last mail').first()).toBeVisible()
    await code.fill(digits ?? '')
    await code.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible()
  })

  test('a user without phone and codes asks the administrators for a reset, who get a mail', async ({
    page,
    faults,
  }) => {
    faults.allow(/status of (401|429)/)
    const api = apiAs(server.url)
    const helper = await newUserWithMail(api, 'CLOUD_ADMIN')
    const { nick, id } = await newUserWithMail(api)
    const password = 'a password to forget'
    const enable = `/api/admin/enterprises/1/users/${id}/action/enable2fa`
    await apiAs(server.url, nick, password).post(enable, { type: 'APP_AUTHENTICATOR' }, z.object({}))
    const goToCode = async () => {
      await page.goto(server.url)
      await page.getByRole('textbox', { name: 'User name' }).fill(nick)
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Lost your phone and your scratch codes?').click()
    }
    await goToCode()
    await expect(page.getByText(`They see your user name, ${nick}, and the address`)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Ask for a reset' }).click()
    await expect(page.getByText('Your administrators have been asked')).toBeVisible()
    await expectAccessible(page)
    const text = await mailbox.textTo(helper.email, /asks for a reset/)
    expect(text).toContain(`${server.url}/enterprises/1/users/${id}`)
    await goToCode()
    await page.getByRole('button', { name: 'Ask for a reset' }).click()
    await expect(page.getByText('Your administrators were asked already')).toBeVisible()
  })

  test('unsaved input survives a new password after the session has ended', async ({ page, faults }) => {
    faults.allow(/status of 401/)
    await page.request.post(`${server.url}/api/session`, {
      data: { nick: adminNick, password: adminPassword },
    })
    await page.goto(`${server.url}/scopes/new`)
    const name = `Typed before the end ${crypto.randomUUID()}`
    await page.getByLabel('Name', { exact: true }).fill(name)
    await apiAs(server.url).remove('/api/session/sessions')
    await page.getByRole('button', { name: 'Create scope' }).click()
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    const forgot = page.getByRole('heading', { level: 1, name: 'Forgot your password?' })
    await expect(forgot).toBeVisible()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await page.goBack()
    await expect(forgot).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/scopes\/new$/)
    const password = page.getByRole('textbox', { name: 'Password', exact: true })
    await expect(password).toBeFocused()
    await password.fill(adminPassword)
    await password.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  })
})

test('each page has its own nonce, and every header of protection', { tag: always }, async ({ page }) => {
  const policies: string[] = []
  for (const path of ['/', '/scopes', '/nowhere']) {
    const headers = (await page.request.get(path)).headers()
    policies.push(headers['content-security-policy'] ?? '')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
  }
  expect(new Set(policies).size).toBe(3)
  for (const policy of policies) expect(policy).not.toContain('unsafe')
})
