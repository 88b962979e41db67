import type { Page } from 'playwright/test'
import { always, test as anybody, expect, expectAccessibleAtAnyWidth } from './fixtures'
import { expectWalkable } from './keys'
import { expectAtRest, expectLoaded, expectLooks, expectUsableAtFourTimes, stopTheClock } from './looks'
import { collectData, expectTranslated } from './texts'
import { test } from './untouched'

/* Every screen with the sample cloud: its picture, its accessibility, and its two languages. */

const screens: { name: string; path: string; heading: string | RegExp; tag?: string }[] = [
  { name: 'home', path: '/', heading: /^Good /, tag: always },
  { name: 'account', path: '/account', heading: 'My account' },
  { name: 'profile', path: '/account/profile', heading: /\S/ },
  { name: 'password', path: '/account/password', heading: 'Change your password' },
  { name: 'application-form', path: '/account/applications/new', heading: 'Create application' },
  { name: 'token-form', path: '/account/tokens/new', heading: 'Create access token' },
  { name: 'two-factor', path: '/account/two-factor', heading: /two factor/i },
  { name: 'settings', path: '/settings', heading: 'Settings' },
  { name: 'webhooks', path: '/settings?tab=webhooks', heading: 'Settings' },
  { name: 'webhook-new', path: '/settings/webhooks/new', heading: 'Create webhook' },
  { name: 'scopes', path: '/scopes', heading: 'Scopes' },
  { name: 'scope', path: '/scopes/2', heading: 'Europe', tag: always },
  { name: 'scope-form', path: '/scopes/2/edit', heading: /Europe/ },
  { name: 'scope-new', path: '/scopes/new', heading: 'Create scope' },
  { name: 'enterprises', path: '/enterprises', heading: /^Enterprises \(/ },
  { name: 'enterprise', path: '/enterprises/2', heading: /\S/ },
  { name: 'enterprise-users', path: '/enterprises/2?tab=users', heading: /\S/ },
  { name: 'enterprise-properties', path: '/enterprises/2?tab=properties', heading: /\S/ },
  { name: 'enterprise-form', path: '/enterprises/2/edit', heading: /\S/ },
  { name: 'enterprise-new', path: '/enterprises/new', heading: /\S/ },
  { name: 'users', path: '/users', heading: /^Users \(/ },
  { name: 'user', path: '/enterprises/2/users/2', heading: /\S/ },
  { name: 'user-form', path: '/enterprises/2/users/2/edit', heading: /\S/, tag: always },
  { name: 'user-new', path: '/users/new', heading: /\S/ },
  { name: 'roles', path: '/roles', heading: 'Roles' },
  { name: 'role', path: '/roles/2', heading: /\S/ },
  { name: 'role-form', path: '/roles/2/edit', heading: /\S/ },
  { name: 'role-new', path: '/roles/new', heading: /\S/ },
  { name: 'events', path: '/events', heading: /^Events \(/ },
  { name: 'datacenters', path: '/datacenters', heading: /^Datacenters \(/ },
  { name: 'datacenter', path: '/datacenters/1', heading: 'Madrid' },
  { name: 'nat-networks', path: '/datacenters/1/natnetworks', heading: /^NAT networks \(/ },
  { name: 'nat-network-form', path: '/datacenters/1/natnetworks/new', heading: /NAT network/ },
  { name: 'nat-network-ips', path: '/datacenters/1/natnetworks/1', heading: 'Madrid public', tag: always },
  { name: 'nat-network-rules', path: '/datacenters/1/natnetworks/1?tab=rules', heading: 'Madrid public' },
  { name: 'nat-network-map', path: '/datacenters/1/natnetworks/1?tab=map', heading: 'Madrid public' },
  { name: 'nat-network-events', path: '/datacenters/1/natnetworks/1?tab=events', heading: 'Madrid public' },
  { name: 'nat-network-edit', path: '/datacenters/1/natnetworks/1/edit', heading: /Madrid public/ },
  { name: 'device', path: '/datacenters/1/devices/1', heading: 'Madrid logical gateway' },
  { name: 'centers', path: '/virtualdatacenters', heading: /^Virtual datacenters \(/ },
  { name: 'center', path: '/virtualdatacenters/1', heading: /\S/ },
  { name: 'appliance', path: '/virtualdatacenters/1/virtualappliances/1', heading: /\S/ },
  { name: 'machines', path: '/virtualmachines', heading: /^Virtual machines \(/ },
  {
    name: 'machine',
    path: '/virtualdatacenters/1/virtualappliances/1/virtualmachines/1',
    heading: /\S/,
  },
  { name: 'address', path: '/nat/addresses/203.0.113.1', heading: '203.0.113.1' },
  { name: 'nat-ips', path: '/datacenters/1/natips', heading: /^NAT IPs \(/ },
  { name: 'nat-rules', path: '/datacenters/1/natrules', heading: /^NAT rules \(/ },
  { name: 'not-found', path: '/nowhere', heading: /not here|not found|nothing/i },
]

async function expectWalkableOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 400, height: 900 })
  // It goes out in a moment.
  await expect(page.getByRole('navigation', { name: /^(Main|Principal)$/ })).toBeHidden()
  await expectWalkable(page)
}

// The name puts this file last: its tests go one by one to whichever worker is free, so the workers end together. And each worker
// changes only once to a server that is left untouched.
test.describe.configure({ mode: 'parallel' })

for (const { name, path, heading, tag = [] } of screens) {
  test(`${path} is whole: its look, its keys, its languages`, { tag }, async ({ page, signedIn }) => {
    await page.context().addCookies(signedIn.cookies)
    await stopTheClock(page)
    const data = collectData(page)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expectLoaded(page)
    await expectAtRest(page)
    await test.step('look', () => expectLooks(page, name))
    await test.step('400 %', () => expectUsableAtFourTimes(page))
    await page.setViewportSize({ width: 1440, height: 900 })
    await test.step('languages', () => expectTranslated(page, data))
    await test.step('keys', () => expectWalkable(page))
    await test.step('keys on a phone', () => expectWalkableOnPhone(page))
  })
}

/** Screens whose look others show already, and states of screens that have keys of their own. */
for (const path of [
  '/nat/networks',
  '/nat/networks/new',
  '/nat/ips',
  '/nat/ips?open=1',
  '/nat/rules',
  '/datacenters/1/natnetworks/1?tab=check',
  '/datacenters/1/natnetworks/1?tab=use',
  '/datacenters/1?tab=check',
  '/enterprises?row=2',
  '/enterprises/2?tab=events',
  '/enterprises/2/users/2?tab=tokens',
  '/enterprises/2/users/2?tab=access',
  '/roles?tab=compare&roles=1,2',
  '/scopes?row=2',
  '/scopes/map',
  '/consent',
  '/plans/999999',
  '/help',
  '/help/concepts',
])
  test(`${path} is walked by Tab`, async ({ page, signedIn, faults }) => {
    faults.allow(/status of 404/)
    await page.context().addCookies(signedIn.cookies)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\S/)
    await expectLoaded(page)
    await expectWalkable(page)
    await expectWalkableOnPhone(page)
  })

/** The library that draws the API's reference is no work of ours: its texts are English, its look is its own. */
for (const path of ['/api-reference', '/api-reference#/scopes/listScopes']) {
  test(`${path} is accessible`, async ({ page, signedIn }) => {
    await page.context().addCookies(signedIn.cookies)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('API')
    await expectLoaded(page)
    await expectAccessibleAtAnyWidth(page)
  })
}

anybody('the sign-in screen is whole for everybody, and by keyboard', { tag: always }, async ({ page }) => {
  await page.goto('/scopes')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await expectWalkable(page)
  await page.reload()
  await expect(page.getByLabel('User name')).toBeFocused()
  await expectLooks(page, 'sign-in')
  await expectUsableAtFourTimes(page)
})
