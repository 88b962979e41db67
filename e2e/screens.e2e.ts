import { test as anybody, expect, expectAccessible, inBothThemes } from './fixtures'
import { expectWalkable } from './keys'
import { expectLooks, expectSettled, expectUsableAtFourTimes, stopTheClock } from './looks'
import { expectTranslated } from './texts'
import { test } from './untouched'

/* Every screen, as the sample cloud fills it: that nobody is shut out, and that it speaks two languages. */

const screens: { path: string; heading: string | RegExp }[] = [
  { path: '/', heading: /^Good / },
  { path: '/account', heading: 'My account' },
  { path: '/account/profile', heading: /\S/ },
  { path: '/account/password', heading: 'Change your password' },
  { path: '/account/applications/new', heading: 'Register an application' },
  { path: '/account/two-factor', heading: /two factor/i },
  { path: '/settings', heading: 'Settings' },
  { path: '/scopes', heading: 'Scopes' },
  { path: '/scopes/2', heading: 'Europe' },
  { path: '/scopes/2/edit', heading: /Europe/ },
  { path: '/scopes/new', heading: /new scope/i },
  { path: '/enterprises', heading: 'Enterprises' },
  { path: '/enterprises/2', heading: /\S/ },
  { path: '/enterprises/2?tab=users', heading: /\S/ },
  { path: '/enterprises/2?tab=properties', heading: /\S/ },
  { path: '/enterprises/2/edit', heading: /\S/ },
  { path: '/enterprises/new', heading: /\S/ },
  { path: '/users', heading: 'Users' },
  { path: '/enterprises/2/users/2', heading: /\S/ },
  { path: '/enterprises/2/users/2/edit', heading: /\S/ },
  { path: '/users/new', heading: /\S/ },
  { path: '/roles', heading: 'Roles' },
  { path: '/roles/2', heading: /\S/ },
  { path: '/roles/2/edit', heading: /\S/ },
  { path: '/roles/new', heading: /\S/ },
  { path: '/events', heading: 'Events' },
  { path: '/datacenters', heading: 'Datacenters' },
  { path: '/datacenters/1', heading: 'Madrid' },
  { path: '/datacenters/1/natnetworks', heading: 'NAT networks' },
  { path: '/datacenters/1/natnetworks/new', heading: /NAT network/ },
  { path: '/datacenters/1/natnetworks/1', heading: 'Madrid public' },
  { path: '/datacenters/1/natnetworks/1?tab=rules', heading: 'Madrid public' },
  { path: '/datacenters/1/natnetworks/1?tab=map', heading: 'Madrid public' },
  { path: '/datacenters/1/natnetworks/1?tab=events', heading: 'Madrid public' },
  { path: '/datacenters/1/natnetworks/1/edit', heading: /Madrid public/ },
  { path: '/datacenters/1/natips', heading: 'NAT IPs' },
  { path: '/datacenters/1/natrules', heading: 'NAT rules' },
  { path: '/nowhere', heading: /not here|not found|nothing/i },
]

test.describe.configure({ mode: 'parallel' })

for (const { path, heading } of screens) {
  test(`${path} is whole: for everybody, by keyboard, at 400 %, in two languages`, async ({
    page,
    signedIn,
  }) => {
    await page.context().addCookies(signedIn.cookies)
    await stopTheClock(page)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expectSettled(page)
    await test.step('look', () => expectLooks(page))
    await test.step('keys', () => expectWalkable(page))
    await test.step('400 %', () => expectUsableAtFourTimes(page))
    await page.setViewportSize({ width: 1440, height: 900 })
    await test.step('languages', () =>
      expectTranslated(page, async () => {
        await page.reload()
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectSettled(page)
      }))
  })
}

/** The library that draws the API's reference is no work of ours: its texts are English, its look is its own. */
for (const path of ['/api-reference', '/api-reference#/scopes/getAdminScopes']) {
  test(`${path} is accessible`, async ({ page, signedIn }) => {
    await page.context().addCookies(signedIn.cookies)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('API')
    await expectSettled(page)
    for (const width of [1440, 400]) {
      await page.setViewportSize({ width, height: 900 })
      await inBothThemes(page, () => expectAccessible(page))
    }
  })
}

anybody('the sign-in screen is whole for everybody, and by keyboard', async ({ page }) => {
  await page.goto('/scopes')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await expectLooks(page)
  await expectWalkable(page)
  await expectUsableAtFourTimes(page)
})
