import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright/test'
import { authorizationOf, type Program, type Token, tokenIn } from '#lib/tools/testing/oauth-client'
import type { Api } from './api'
import { expect, expectAccessible, signIn, test } from './fixtures'
import { newUser } from './people'

async function signInAsSomebody(page: Page, api: Api): Promise<string> {
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  return nick
}

async function register(page: Page, name: string): Promise<Program> {
  await page.goto('/account')
  await page.getByRole('link', { name: 'Create application' }).click()
  await page.getByRole('button', { name: 'Create application', exact: true }).click()
  await expect(page.getByText('Enter 1 to 128 characters.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel(/^Description/).fill('Counts addresses')
  await page.getByRole('button', { name: 'Create application', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('It is shown this once only')).toBeVisible()
  const values = page.getByText(/^[\w-]{36}$|^[\w-]{40}$/)
  const texts = await values.allInnerTexts()
  return {
    apiKey: texts.find((text) => text.length === 36) ?? '',
    apiSecret: texts.find((text) => text.length === 40) ?? '',
  }
}

async function send(
  program: Program,
  method: string,
  url: string,
  token?: Token,
  data?: Record<string, string>,
) {
  const authorization = authorizationOf(program, method, url, {
    ...(token && { token }),
    ...(data && { data }),
  })
  return fetch(url, { method, headers: { authorization, accept: 'application/json' } })
}

const requestToken = async (program: Program, baseURL: string | undefined, callback: string) => {
  const data = { oauth_callback: callback }
  const response = await send(program, 'POST', `${baseURL}/oauth/request_token`, undefined, data)
  expect(response.status).toBe(200)
  return tokenIn(await response.text())
}

test('an application is registered, its user consents, it acts in their name, and is revoked', async ({
  page,
  api,
  baseURL,
  faults,
}) => {
  // The token is answered already; where the browser was sent there is nothing but a page.
  faults.allow(/status of 409|favicon/)
  const nick = await signInAsSomebody(page, api)
  const program = await register(page, 'Address counter')
  await expectAccessible(page)

  // The address at which the program waits for the redirect.
  const back = createServer((_request, response) => response.end('<title>Back</title>')).listen(
    0,
    '127.0.0.1',
  )
  await once(back, 'listening')
  const callback = `http://127.0.0.1:${(back.address() as AddressInfo).port}/back`
  const token = await requestToken(program, baseURL, callback)
  await page.goto(`/oauth/authorize?oauth_token=${token.key}`)
  await expect(
    page.getByRole('heading', { level: 1, name: `Allow Address counter to act as ${nick}?` }),
  ).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByText('Counts addresses')).toBeVisible()
  await expect(page.getByText(new URL(callback).origin)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(/\/back\?/)
  const verifier = new URL(page.url()).searchParams.get('oauth_verifier') ?? ''
  back.close()

  const exchanged = await send(program, 'POST', `${baseURL}/oauth/access_token`, token, {
    oauth_verifier: verifier,
  })
  const access = tokenIn(await exchanged.text())
  const self = await send(program, 'GET', `${baseURL}/api/login`, access)
  expect(await self.json()).toMatchObject({ nick })

  await page.goto(`/consent?oauth_token=${token.key}`)
  await expect(page.getByText('This request no longer needs an answer')).toBeVisible()
  await page.goto('/account')
  const row = page.getByLabel('Authorized applications', { exact: true }).getByRole('row')
  await expect(row.filter({ hasText: 'Address counter' })).toContainText(nick)
  await page.getByRole('button', { name: /^Revoke Address counter/ }).click()
  await expect(page.getByText('may no longer act in your name')).toBeVisible()
  expect((await send(program, 'GET', `${baseURL}/api/login`, access)).status).toBe(401)
})

test('without a redirect address the code is shown; a refused consent shows none', async ({
  page,
  api,
  baseURL,
  faults,
}) => {
  faults.allow(/status of 409/)
  await signInAsSomebody(page, api)
  const program = await register(page, 'Command line')
  const token = await requestToken(program, baseURL, 'oob')
  await page.goto(`/oauth/authorize?oauth_token=${token.key}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Type this code in the program' })).toBeVisible()
  const verifier = new URL(page.url()).searchParams.get('oauth_verifier') ?? ''
  await expect(page.getByText(verifier, { exact: true })).toBeVisible()
  await expectAccessible(page)
  const exchanged = await send(program, 'POST', `${baseURL}/oauth/access_token`, token, {
    oauth_verifier: verifier,
  })
  expect(exchanged.status).toBe(200)

  const other = await requestToken(program, baseURL, 'oob')
  await page.goto(`/oauth/authorize?oauth_token=${other.key}`)
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You have denied access' })).toBeVisible()
})

test('a wrong signature is shown to the author; a new secret replaces the old one; deleted, it is gone', async ({
  page,
  api,
  baseURL,
}) => {
  await signInAsSomebody(page, api)
  const program = await register(page, 'Wrong signer')
  const wrong = { ...program, apiSecret: 'wrong' }
  expect(
    (await send(wrong, 'POST', `${baseURL}/oauth/request_token`, undefined, { oauth_callback: 'oob' }))
      .status,
  ).toBe(401)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const failures = page.getByRole('table', { name: 'Refused signatures' })
  await expect(failures).toContainText(`POST&${encodeURIComponent(`${baseURL}/oauth/request_token`)}`)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Generate a new secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Generate a new secret' }).click()
  await expect(page.getByText('Wrong signer has a new secret')).toBeVisible()
  await expect(page.getByText(program.apiSecret)).toBeHidden()
  await expect(page.getByText(/^[\w-]{40}$/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Wrong signer' })).toBeVisible()
  await expect(page.getByText(/^Shown only when it is generated/)).toBeVisible()
  await expect(page.getByText(/^[\w-]{40}$/)).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Wrong signer')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The application Wrong signer is deleted')).toBeVisible()
  await expect(page.getByRole('table', { name: 'OAuth applications' })).toContainText('No applications')
})

const callWith = (baseURL: string | undefined, token: string, path = '/api/login') =>
  fetch(`${baseURL}${path}`, { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } })

/** Makes an access token on the open form. Returns the token, which the next screen shows once. */
async function makeToken(page: Page, name: string, privilege: string): Promise<string> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('checkbox', { name: privilege }).check()
  await page.getByRole('button', { name: 'Create access token' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  return (await page.getByText(/^sat_\w{46}$/).innerText()).trim()
}

test('a program gets the least by an access token, which is shown once and revoked', async ({
  page,
  api,
  baseURL,
}) => {
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Create access token' }).click()
  await page.getByRole('button', { name: 'Create access token' }).click()
  await expect(page.getByText('Choose at least one privilege.')).toBeVisible()
  await expectAccessible(page)
  const token = await makeToken(page, 'Backup', 'View virtual datacenters')
  await expect(page.getByText(`export API_TOKEN='${token}'`)).toBeVisible()
  await expectAccessible(page)

  const self = await callWith(baseURL, token, '/api/login?expand=privileges')
  expect(await self.json()).toMatchObject({ nick, privileges: ['VDC_ENUMERATE'] })
  expect(self.headers.get('x-service-token')).toBeNull()
  await page.goto('/account')
  await expect(page.getByText(token)).toHaveCount(0)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Backup' }) })
  await expect(row).toContainText('from 127.0.0.1')
  await row.getByRole('button', { name: 'Revoke Backup' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('The access token Backup is revoked.')).toBeVisible()
  expect((await callWith(baseURL, token)).status).toBe(401)
})
