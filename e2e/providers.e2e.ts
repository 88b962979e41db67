import type { Page } from 'playwright/test'
import { freePort } from '#lib/tools/testing/free-port'
import { type RunningProvider, startProvider } from '#lib/tools/testing/oidc-provider'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { type IdpServer, startIdp } from '#lib/tools/testing/saml-idp-server'
import { adminNick } from '#lib/tools/testing/settings'
import { expect, expectAccessible, test } from './fixtures'

const stranger = 'passer.by'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test.describe('where sign-in goes through OpenID Connect', () => {
  let provider: RunningProvider
  let server: OwnServer
  test.beforeAll(async () => {
    const port = await freePort()
    const accounts = new Map([adminNick, stranger].map((nick) => [nick, { preferred_username: nick }]))
    provider = await startProvider({ origins: [`http://127.0.0.1:${port}`], accounts })
    server = await startServer({ ...provider.settings, PORT: String(port) })
  })
  test.afterAll(async () => {
    await server.stop()
    await provider.goDown()
  })

  /** The provider’s own pages. */
  async function passProvider(page: Page, login: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(login)
    await page.getByPlaceholder('and password').fill('whatever')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('a user signs in at the provider, reaches the requested page, sees their tokens, and is signed out at both', async ({
    page,
    faults,
  }) => {
    // The pages of the provider are not ours.
    faults.allow(/./)
    await page.goto(`${server.url}/account?tab=x`)
    await expect(heading(page, 'Sign in')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeHidden()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await passProvider(page, adminNick)
    await expect(heading(page, 'My account')).toBeVisible()
    expect(page.url()).toBe(`${server.url}/account?tab=x`)
    await expect(page.getByRole('heading', { name: 'Tokens of this sign-in' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy the access token' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change password' })).toBeHidden()
    await expectAccessible(page)

    await page.getByRole('button', { name: adminNick }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${provider.issuer}/**`)
    await page.getByRole('button', { name: 'Sign out here as well' }).click()
    await expect(heading(page, 'Sign in')).toBeVisible()
  })

  test('an unknown user and a user of an unreachable provider see the reason and a way to continue', async ({
    page,
    faults,
  }) => {
    faults.allow(/./)
    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await passProvider(page, stranger)
    await expect(page.getByText('you have no user here')).toBeVisible()
    await expect(page.getByText('Where it failed: When looking for your user here.')).toBeVisible()
    await expect(page.getByText(/Request id/)).toBeHidden()
    await page.getByText('Details').click()
    await expect(page.getByText(/Request id/)).toBeVisible()
    await expectAccessible(page)
    await provider.goDown()
    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await expect(page.getByText('does not answer at the moment')).toBeVisible()
    await provider.comeBack()
    // The provider remembers the stranger.
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await expect(page.getByText('you have no user here')).toBeVisible()
    await page.getByRole('link', { name: 'Sign in as somebody else' }).click()
    await passProvider(page, adminNick)
    await expect(page.getByRole('button', { name: adminNick })).toBeVisible()
  })
})

test.describe('where sign-in goes through SAML, and passwords may stay on', () => {
  let idp: IdpServer
  let server: OwnServer
  test.beforeAll(async () => {
    const port = await freePort()
    const metadataOf = async () => (await fetch(`http://127.0.0.1:${port}/api/auth/saml/metadata`)).text()
    const accounts = new Map([adminNick, stranger].map((nick) => [nick, {}]))
    idp = await startIdp({ accounts, metadataOf })
    server = await startServer({
      ...(idp.settings as Record<string, string>),
      SAML_ALLOW_BASIC: 'true',
      PORT: String(port),
    })
  })
  test.afterAll(async () => {
    await server.stop()
    await idp.goDown()
  })

  test('a user signs in at the provider and out again; an unknown user sees the reason', async ({
    page,
    faults,
  }) => {
    faults.allow(/./)
    await page.goto(`${server.url}/scopes`)
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await expectAccessible(page)
    const way = page.getByRole('link', { name: 'Sign in with your organization' })
    await way.click()
    await page.getByRole('button', { name: stranger }).click()
    await expect(page.getByText('you have no user here')).toBeVisible()
    await way.click()
    await page.getByRole('button', { name: adminNick }).click()
    await expect(heading(page, 'Scopes')).toBeVisible()

    await page.getByRole('button', { name: adminNick }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(heading(page, 'Sign in')).toBeVisible()
    expect(idp.left.at(-1)).toContain(adminNick)
  })
})
