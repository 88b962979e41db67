import { expect, expectAccessible, inBothThemes, signIn, test } from './fixtures'

/* Every screen opens by its address, says what it is, has no fault in the console, and hides nothing from assistive technology. */

const screens: { path: string; heading: string | RegExp }[] = [
  { path: '/', heading: /^Good / },
  { path: '/account', heading: 'My account' },
  { path: '/account/password', heading: 'Change your password' },
  { path: '/account/applications/new', heading: 'Register an application' },
  { path: '/account/two-factor', heading: /two factor/i },
  { path: '/api-reference', heading: 'API' },
  { path: '/api-reference#/scopes/getAdminScopes', heading: 'API' },
  { path: '/settings', heading: 'Settings' },
  { path: '/scopes', heading: 'Scopes' },
  { path: '/scopes/2', heading: 'Europe' },
  { path: '/scopes/new', heading: /new scope/i },
  { path: '/scopes/2/edit', heading: /Europe/ },
  { path: '/datacenters', heading: 'Datacenters' },
  { path: '/datacenters/1', heading: 'Madrid' },
  { path: '/datacenters/1/natnetworks', heading: 'NAT networks' },
  { path: '/datacenters/1/natnetworks/new', heading: /NAT network/ },
  { path: '/datacenters/1/natnetworks/1', heading: 'Madrid public' },
  { path: '/datacenters/1/natnetworks/1?tab=rules', heading: 'Madrid public' },
  { path: '/datacenters/1/natnetworks/1/edit', heading: /Madrid public/ },
  { path: '/datacenters/1/natips', heading: 'NAT IPs' },
  { path: '/datacenters/1/natrules', heading: 'NAT rules' },
  { path: '/nowhere', heading: /not here|not found|nothing/i },
]

for (const { path, heading } of screens) {
  test(`${path} is whole and accessible, light and dark, wide and narrow`, async ({ page }) => {
    await signIn(page)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByText('Loading').first()).toBeHidden()
    await inBothThemes(page, async () => {
      for (const width of [1440, 400]) {
        await page.setViewportSize({ width, height: 900 })
        await expectAccessible(page)
      }
    })
  })
}

test('the sign-in screen is accessible, light and dark', async ({ page }) => {
  await page.goto('/scopes')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await inBothThemes(page, () => expectAccessible(page))
})
