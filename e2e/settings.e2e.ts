import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright/test'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { freePort } from '#lib/tools/testing/free-port'
import { type RunningProvider, startProvider } from '#lib/tools/testing/oidc-provider'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { adminNick } from '#lib/tools/testing/settings'
import { expect, expectAccessibleAtAnyWidth, signIn, test } from './fixtures'
import { newUser } from './people'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('an administrator sees the mechanisms in force, and no test where there is no provider', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(heading(page, 'Settings')).toBeVisible()
  await expect(page.getByText('Two factor authentication', { exact: true })).toBeVisible()
  await expect(page.getByText(/\/oauth\/request_token$/)).toBeVisible()
  await expect(page.getByText('OIDC_ISSUER turns it on.')).toBeVisible()
  await expect(page.getByRole('link', { name: /Test sign-in/ })).toBeHidden()
})

test('without the privilege the screen is refused, and the navigation does not name it', async ({
  page,
  api,
}) => {
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/settings')
  await expect(page.getByText('SYSCONFIG_VIEW')).toBeVisible()
  await expect(heading(page, 'Settings')).toBeHidden()
  await expect(page.getByRole('link', { name: 'Settings' })).toBeHidden()
})

test('the settings have the address of SCIM, its tokens and its refusals', async ({ page, api }) => {
  await expect(api.put('/scim/v2/Groups/1', {}, z.unknown())).rejects.toThrow('400')
  await signIn(page)
  await page.goto('/settings?tab=scim')
  await expect(page.getByText(/^https?:.*\/scim\/v2$/)).toBeVisible()
  const requests = page.getByRole('table', { name: 'Last refused requests' })
  await expect(requests.getByRole('row', { name: /PUT \/scim\/v2\/Groups/ }).first()).toContainText('SCIM-5')
  await expectAccessibleAtAnyWidth(page)
  await page.getByRole('link', { name: 'How to connect a directory' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'SCIM', exact: true })).toBeVisible()
})

test('an administrator creates a webhook, tests it, and sees its deliveries', async ({
  page,
  api,
  faults,
}) => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.end('thank you')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  // An address that is refused.
  faults.allow(/400/)
  await signIn(page)
  await page.goto('/settings?tab=webhooks')
  await page.getByRole('link', { name: 'Create webhook' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Watcher')
  await page.getByLabel('Address', { exact: true }).fill('https://10.0.0.1/')
  await page.getByRole('combobox', { name: 'Events' }).fill('webhook.c')
  await page.getByRole('option', { name: /webhook\.create/ }).click()
  await expectAccessibleAtAnyWidth(page)
  await page.getByRole('button', { name: 'Create webhook', exact: true }).click()
  await expect(page.getByText('10.0.0.1 is not a public address')).toBeVisible()
  await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/`)
  await page.getByRole('button', { name: 'Create webhook', exact: true }).click()

  await expect(heading(page, 'Watcher')).toBeVisible()
  const secret = page.getByText(/^whsec_/)
  const key = (await secret.textContent()) ?? ''
  await expectAccessibleAtAnyWidth(page)
  await page.getByRole('button', { name: 'Send a test' }).click()
  const result = page.getByRole('dialog')
  await expect(result.getByText('Delivered')).toBeVisible()
  await expect(result.getByRole('region', { name: 'Request' })).toContainText('webhook.test')
  await expect(result.getByRole('region', { name: 'Text of the answer' })).toContainText('thank you')
  await expectAccessibleAtAnyWidth(page)
  await result.getByRole('button', { name: 'Close' }).last().click()

  // No other test creates webhooks.
  const { id } = await api.post(
    '/api/admin/webhooks',
    { name: 'Watched', url: 'https://example.com/', events: ['*'], active: false },
    z.object({ id: z.int() }),
  )
  await expect.poll(() => received.length).toBe(2)
  const [first, last] = received.map(({ headers, body }) =>
    new Webhook(key).verify(body, headers as Record<string, string>),
  )
  expect(first).toMatchObject({ type: 'webhook.test' })
  expect(last).toMatchObject({ type: 'webhook.create', data: { entityId: id } })
  await page.getByRole('button', { name: 'Check for new deliveries' }).click()
  const row = page.getByRole('row').filter({ hasText: 'webhook.create' })
  await expect(row).toContainText('Delivered')
  await row.getByRole('link').first().click()
  await expect(result.getByRole('region', { name: 'Request' })).toContainText('Watched')
  await page.keyboard.press('Escape')

  await page.reload()
  await expect(heading(page, 'Watcher')).toBeVisible()
  await expect(secret).toBeHidden()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The webhook Watcher is deleted.')).toBeVisible()
  await api.remove(`/api/admin/webhooks/${id}`)
  receiver.close()
})

test.describe('where sign-in goes through OpenID Connect', () => {
  const stranger = 'passer.by'
  let provider: RunningProvider
  let server: OwnServer
  test.beforeAll(async () => {
    const port = await freePort()
    const accounts = new Map([
      [adminNick, { preferred_username: adminNick, email: 'admin@example.test' }],
      [stranger, { preferred_username: stranger, given_name: 'Passer', family_name: 'By' }],
    ])
    provider = await startProvider({ origins: [`http://127.0.0.1:${port}`], accounts })
    server = await startServer({ ...provider.settings, PORT: String(port) })
  })
  test.afterAll(async () => {
    await server.stop()
    await provider.goDown()
  })

  /** The provider’s own pages; it asks for consent once. */
  async function passProvider(page: Page, login: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(login)
    await page.getByPlaceholder('and password').fill('whatever')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    const allow = page.getByRole('button', { name: 'Continue' })
    await expect(allow.or(page.getByRole('heading', { level: 1, name: 'Settings' }))).toBeVisible()
    if (await allow.isVisible()) await allow.click()
  }

  const isSignedIn = async (page: Page) => {
    const session = await page.request.get(`${server.url}/api/session`)
    expect(await session.json()).toMatchObject({ nick: adminNick })
  }

  test('a sign-in is tried out as a known and as an unknown person, and changes nothing', async ({
    page,
    faults,
  }) => {
    // The pages of the provider are not ours.
    faults.allow(/./)
    await page.goto(`${server.url}/settings`)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await passProvider(page, adminNick)
    await expect(heading(page, 'Settings')).toBeVisible()
    await expect(page.getByText(`${server.url}/api/auth/oidc/callback`)).toBeVisible()
    await expectAccessibleAtAnyWidth(page)

    const trial = page.getByRole('link', { name: 'Test sign-in by OpenID Connect' })
    await trial.click()
    await passProvider(page, adminNick)
    await expect(page.getByText(`${adminNick} would be signed in`)).toBeVisible()
    const claims = page.getByRole('table', { name: 'Claims' })
    await expect(claims.getByRole('row').filter({ hasText: 'preferred_username' })).toContainText(adminNick)
    await expect(claims).toContainText('admin@example.test')
    await isSignedIn(page)
    await expectAccessibleAtAnyWidth(page)

    await trial.click()
    await passProvider(page, stranger)
    await expect(page.getByText('Nobody would be signed in')).toBeVisible()
    await expect(page.getByText('Passer By')).toBeVisible()
    await expect(page.getByRole('button', { name: adminNick })).toBeVisible()
    await isSignedIn(page)
    await page.getByRole('button', { name: 'Close the result' }).click()
    await expect(page.getByText('Nobody would be signed in')).toBeHidden()
    expect(page.url()).toBe(`${server.url}/settings`)
  })

  test('a provider that is down is reported on the same page', async ({ page, faults }) => {
    faults.allow(/./)
    await page.goto(`${server.url}/settings`)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await passProvider(page, adminNick)
    await expect(heading(page, 'Settings')).toBeVisible()
    await provider.goDown()
    await page.getByRole('link', { name: 'Test sign-in by OpenID Connect' }).click()
    await expect(page.getByText('The identity provider does not answer.')).toBeVisible()
    await isSignedIn(page)
    await provider.comeBack()
  })
})
