import { adminNick, adminPassword } from '#lib/testing/settings'
import { expect, expectAccessible, test } from './fixtures'
import { newStrictEnterprise, newUser } from './people'

test('who opens a screen signed out signs in and gets there', async ({ page }) => {
  await page.goto('/datacenters/1/natips?page=2')
  await page.getByLabel('Nick').fill(adminNick)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'NAT IPs' })).toBeVisible()
  await expect(page).toHaveURL(/natips\?page=2/)
})

test('a wrong password is told at the field, and an unknown nick no differently', async ({
  page,
  faults,
}) => {
  faults.allow(/status of 401/)
  await page.goto('/')
  for (const nick of [adminNick, 'nobody.at.all']) {
    await page.getByLabel('Nick').fill(nick)
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: /Sign in|Try again/ }).click()
    await expect(page.getByText('The nick or the password is wrong')).toBeVisible()
  }
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([])
})

test('signing out ends the session: its cookie opens nothing any more', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Nick').fill(adminNick)
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

test('too many failures are told as a countdown, and nothing typed is lost', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/401|429/)
  const { nick, password } = await newUser(api)
  for (const _ of Array(5))
    expect((await page.request.post('/api/session', { data: { nick, password: 'wrong' } })).status()).toBe(
      401,
    )
  await page.goto('/')
  await page.getByLabel('Nick').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/Try again in (2\d|30) seconds/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled()
  await expect(page.getByLabel('Nick')).toHaveValue(nick)
  await expectAccessible(page)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled({ timeout: 40_000 })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible()
})

test('who must have two factor is led to the enrolment, and nowhere else', async ({ page, api }) => {
  const enterprise = await newStrictEnterprise(api)
  const { nick, password } = await newUser(api, enterprise.id)
  await page.goto('/datacenters')
  await page.getByLabel('Nick').fill(nick)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up two factor authentication')
  await expect(page.getByText(`${enterprise.name} asks everybody for two factor`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toHaveCount(1)
  await expectAccessible(page)
  for (const path of ['/', '/account', '/scopes']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up two factor authentication')
  }
})

test('each page has its own nonce, and every header of protection', async ({ page }) => {
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
