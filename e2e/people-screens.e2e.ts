import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { type Api, apiAs } from './api'
import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { chosenPassword, fresh, idOf, newAdministrator, newRole, newUser } from './people'

const named = z.object({ id: z.int(), name: z.string() })
const member = z.object({ id: z.int(), nick: z.string() })

const newEnterprise = (api: Api) => api.post('/api/admin/enterprises', { name: fresh('Tenant') }, named)

/** A user of this role. */
const newMember = (api: Api, enterprise: number, role: number) =>
  api.post(
    `/api/admin/enterprises/${enterprise}/users`,
    {
      nick: fresh('member').replace(' ', '-'),
      name: 'Mara',
      surname: 'Member',
      password: 'a password of a person',
      links: [{ rel: 'role', href: `/api/admin/roles/${role}` }],
    },
    member,
  )

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** A notification with this text. The page has a second copy of the text for screen readers. */
const notification = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text)

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })

/** Opens a picker and chooses the result of the server for the text. */
async function pick(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true })
  // It scrolls into sight first: a list closes when what is around it scrolls.
  await field.click()
  await field.fill(text)
  // The list from before the search moves away under the pointer.
  await expect(page.getByRole('option').filter({ hasNotText: text })).toHaveCount(0)
  await page.getByRole('option', { name: text }).first().click()
}

async function act(page: Page, action: string): Promise<void> {
  await button(page, 'Actions').click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const openMore = (page: Page) => page.getByRole('button', { name: /^More:/ }).click()

test('an enterprise is made, changed by two people, given properties, and deleted', async ({
  page,
  api,
  baseURL,
  faults,
}) => {
  faults.allow(/status of (409|412)|ERR_FAILED/)
  const name = fresh('Tenant')
  await signIn(page)
  const { nick, password } = await newAdministrator(api)
  await page.goto('/enterprises')
  // New rows by other users wait behind a notice; the shown rows do not move.
  const rows = page.getByRole('grid').getByRole('rowheader')
  await expect(rows.first()).toBeVisible()
  const before = await rows.allInnerTexts()
  const place = await rows.first().boundingBox()
  const added = await newEnterprise(apiAs(baseURL, nick, password))
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  const news = page.getByRole('button', { name: /^1 change since .*Load them$/ })
  await expect(news).toBeVisible()
  expect(await rows.allInnerTexts()).toEqual(before)
  expect(await rows.first().boundingBox()).toEqual(place)
  await expectAccessible(page)
  await news.press('Enter')
  await expect(news).toBeHidden()
  await expect(page.getByRole('link', { name: added.name, exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Create enterprise' }).click()
  await button(page, 'Create enterprise').click()
  await expect(page.getByText('Enter 1 to 128 characters.')).toBeVisible()
  await field(page, 'Name').fill('Banco del Sur')
  await button(page, 'Create enterprise').click()
  await expect(page.getByText('ENTERPRISE-4')).toBeVisible()
  await expect(field(page, 'Name')).toBeFocused()
  await field(page, 'Name').fill(name)
  await pick(page, 'Default scope', 'Norway')
  // The first response is lost: the repeat makes nothing twice.
  await page.route(
    '**/api/admin/enterprises',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await button(page, 'Create enterprise').click()
  await expect(page.getByText('The server cannot be reached')).toBeVisible()
  await button(page, 'Try again').click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()
  const { pathname } = new URL(page.url())
  const path = `/api/admin${pathname}`

  // Another user changes it while it is edited.
  await page.goto(`${pathname}/edit`)
  await page.getByRole('switch', { name: 'Two factor is mandatory' }).check()
  await expect(page.getByText('All its users have set it up.')).toBeVisible()
  await api.put(path, { name: `${name} SL` }, named)
  // The form learns of it when its window is looked at again, and compares before the save.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText(/^admin changed this at \d/)).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Compare').click()
  await expect(page.getByText('Changed by somebody else', { exact: true })).toBeVisible()
  await expect(page.getByText(`${name} SL`).first()).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByText(/^admin saved on .+ [AP]M\.$/)).toBeVisible()
  await button(page, 'All mine').click()
  await button(page, 'Save').click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByText('Mandatory for all its users')).toBeVisible()

  await page.getByRole('tab', { name: 'Properties' }).click()
  await button(page, 'Add property').click()
  await button(page, 'Add property').click()
  await field(page, 'Key').first().fill('tier')
  await field(page, 'Value').first().fill('gold')
  await field(page, 'Key').last().fill('tier ')
  await expect(page.getByText('This key already exists.')).toBeVisible()
  await field(page, 'Key').last().fill('zone')
  // A look at another tab loses nothing, leaving the screen asks.
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('tab', { name: 'Properties' }).click()
  await expect(field(page, 'Value').first()).toHaveValue('gold')
  await page.getByRole('link', { name: 'Enterprises' }).first().click()
  await button(page.getByRole('dialog'), 'Stay').click()
  await api.put(`${path}/properties`, { properties: { colour: 'blue' } }, z.object({}))
  await button(page, 'Save properties').click()
  await expect(page.getByRole('rowheader', { name: 'colour' })).toBeVisible()
  await expect(page.getByText(/^admin saved on .+ [AP]M\.$/)).toBeVisible()
  await button(page, 'Save properties').click()
  await expect(notification(page, `The properties of ${name} are saved.`)).toBeVisible()
  await page.reload()
  // Both people's properties are kept.
  await expect(field(page, 'Key')).toHaveCount(3)

  await button(page, 'Delete').click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('textbox').fill(name)
  await button(dialog, 'Delete').click()
  await expect(notification(page, `The enterprise ${name} is deleted.`)).toBeVisible()
  await expect(heading(page, 'Enterprises')).toBeVisible()
  // Each message about a change has its undo.
  await expect(button(page, 'Undo')).toBeVisible()
  await page.keyboard.press('z')
  await expect(notification(page, `Undone: The enterprise ${name} is deleted.`)).toBeVisible()
  await expect(button(page, 'Undo')).toHaveCount(0)
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
})

test('an enterprise in use shows the reason against its deletion, and links to its users', async ({
  page,
  faults,
}) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/enterprises/2')
  await button(page, 'Delete').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Albatros Airlines')
  await button(dialog, 'Delete').click()
  await expect(dialog.getByText('ENTERPRISE-5')).toBeVisible()
  await dialog.getByRole('link', { name: 'Show its users' }).click()
  await expect(page).toHaveURL(/enterprises\/2\?tab=users/)
  await expect(page.getByRole('tab', { name: 'Users', selected: true })).toBeVisible()
})

test('users are filtered by tokens, and reload, back and a link keep the view', async ({ page }) => {
  await signIn(page)
  await page.goto('/users')
  const filter = page.getByRole('combobox', { name: /^Find users/ })
  await filter.fill('Enterprise = jade')
  await page.getByRole('option', { name: /Jade Telecom/ }).click()
  await expect(page).toHaveURL(/enterprise=\d+/)
  const rows = page.getByRole('row')
  await expect(rows.nth(1)).toContainText('Jade Telecom')
  await page.reload()
  await expect(filter).toHaveValue('enterprise:"Jade Telecom"')
  await rows.nth(1).getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'What this user sees' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/enterprise=\d+/)
  await page.goto('/users?twofactor=true&locked=true')
  await expect(page.getByText('No matches')).toBeVisible()
  await button(page, 'Clear filter').first().click()
  await expect(page.getByRole('link', { name: 'admin', exact: true })).toBeVisible()
})

test('a user is made, changed, shut, opened and deleted; each refusal is at its field', {
  tag: always,
}, async ({ page, api, faults }) => {
  faults.allow(/status of 409/)
  const { id: enterprise, name: tenant } = await newEnterprise(api)
  const nick = fresh('nina').replace(' ', '.')
  await signIn(page)
  await page.goto(`/users/new?enterprise=${enterprise}`)
  await openMore(page)
  await expect(page.getByRole('combobox', { name: 'Enterprise' })).toHaveValue(tenant)
  await field(page, 'User name').fill('a:b')
  await field(page, 'E-mail').fill('nobody')
  await field(page, 'Network to add').fill('192.0.2.7/24')
  await expect(page.getByText('Did you mean 192.0.2.0/24?').last()).toBeVisible()
  await field(page, 'Password').fill('short')
  await button(page, 'Create user').click()
  for (const fault of [
    'A user name cannot contain a colon, a tab, a line break or invisible characters, and has letters of one script, without combining marks.',
    'This is not an e-mail address such as name@example.com.',
    'Enter at least 12 characters.',
  ])
    await expect(page.getByText(fault)).toBeVisible()
  await expect(field(page, 'E-mail')).toBeFocused()

  await field(page, 'User name').fill('admin')
  await field(page, 'First name').fill('Nina')
  await field(page, 'E-mail').fill('nina@example.com')
  await page.getByRole('combobox', { name: 'Language' }).fill('spanish (spain')
  await page.getByRole('option', { name: /Spanish \(Spain\)/ }).click()
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('ENTERPRISE_VIEWER')
  await expect(page.getByText('This role grants 2 privileges.')).toBeVisible()
  await field(page, 'Network to add').fill('192.0.2.0/24 2001:db8::/32')
  await expect(page.getByText('256 addresses from 192.0.2.0 to 192.0.2.255.')).toBeVisible()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove 2001:db8::/32' })).toBeVisible()
  await button(page, 'Generate').click()
  await expect(page.getByText('23 characters: long enough.')).toBeVisible()
  const generated = await field(page, 'Password').inputValue()
  await expect(page.getByText(generated, { exact: true })).toBeVisible()
  await expect(page.getByText('It is shown this once only')).toBeVisible()
  await button(page, 'Create user').click()
  await expect(page.getByText('USER-4')).toBeVisible()
  await expect(field(page, 'First name')).toHaveValue('Nina')
  await field(page, 'User name').fill(nick)
  await button(page, 'Create user').click()
  await expect(heading(page, nick)).toBeVisible()
  await expect(page.getByText('To be changed at the next sign-in')).toBeVisible()
  await expect(page.getByText('Spanish (Spain)')).toBeVisible()

  await act(page, 'Lock')
  await expectAccessible(page)
  await button(page.getByRole('dialog'), 'Lock').click()
  await expect(page.getByText('Locked', { exact: true }).last()).toBeVisible()
  await act(page, 'Unlock')
  await expect(notification(page, `${nick} is unlocked.`)).toBeVisible()

  // A scope that does not contain the enterprise is not even found; one that is given by hand is refused at its field.
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('combobox', { name: 'Scope' }).click()
  await page.getByRole('combobox', { name: 'Scope' }).fill('Norway')
  await expect(page.getByText('No scope has this name.')).toBeVisible()
  await page.keyboard.press('Escape')
  await field(page, 'Surname').fill('Núñez')
  await page.getByRole('link', { name: 'Users' }).first().click()
  await button(page.getByRole('dialog'), 'Stay').click()
  await button(page, 'Save').click()
  await expect(page.getByText('Nina Núñez').first()).toBeVisible()

  await act(page, 'Delete')
  await page.getByRole('dialog').getByRole('textbox').fill(nick)
  await button(page.getByRole('dialog'), 'Delete').click()
  await expect(notification(page, `The user ${nick} is deleted.`)).toBeVisible()
})

test('moving a user out of reach of their scope shows the fault at the scope field and keeps the input', async ({
  page,
  faults,
}) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/users?has=hugo.eriksen.22')
  await page.getByRole('link', { name: 'hugo.eriksen.22' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await field(page, 'Surname').fill('Of nowhere')
  await pick(page, 'Enterprise', 'Banco del Sur')
  await button(page, 'Save').click()
  await expect(page.getByText('SCOPE-16')).toBeVisible()
  await expect(field(page, 'Surname')).toHaveValue('Of nowhere')
  await page.goBack()
  await button(page.getByRole('dialog'), 'Leave').click()
  await expect(heading(page, 'hugo.eriksen.22')).toBeVisible()
})

test('the last cloud administrator stays, and users cannot disable themselves', async ({ page, faults }) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/enterprises/1/users/1')
  await expect(heading(page, 'admin')).toBeVisible()
  await button(page, 'Actions').click()
  for (const action of ['Disable', 'Lock', 'Reset two factor', 'Delete'])
    await expect(page.getByRole('menuitem', { name: new RegExp(`^${action}`) })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByRole('switch', { name: 'Allow sign-in' })).toBeDisabled()
  await expect(page.getByRole('link', { name: 'Change my password' })).toBeVisible()
  await pick(page, 'Role', 'USER')
  await button(page, 'Save').click()
  await expect(page.getByText('USER-25')).toBeVisible()
})

test('many users are locked and deleted at once, and each refusal is reported at its row', async ({
  page,
  api,
}) => {
  const { id: enterprise } = await newEnterprise(api)
  const role = await newRole(api, 'VDC_ENUMERATE')
  const members = [
    await newMember(api, enterprise, role.id),
    await newMember(api, enterprise, role.id),
    await newMember(api, enterprise, role.id),
  ]
  await signIn(page)
  await page.goto(`/enterprises/${enterprise}?tab=users`)
  for (const { nick } of members) await page.getByRole('checkbox', { name: `Select ${nick}` }).check()
  await expect(page.getByText('3 selected')).toBeVisible()
  await button(page, 'Lock').click()
  const dialog = page.getByRole('dialog')
  await button(dialog, 'Lock').click()
  await expect(page.getByText('3 users are locked.')).toBeVisible()
  await expect(page.getByRole('gridcell', { name: 'Locked', exact: true })).toHaveCount(3)

  for (const { nick } of members) await page.getByRole('checkbox', { name: `Select ${nick}` }).check()
  await api.remove(`/api/admin/enterprises/${enterprise}/users/${members[1]?.id}`)
  await act(page, 'Delete')
  await button(dialog, 'Delete').click()
  await expect(dialog.getByText('USER-0')).toBeVisible()
  await expectAccessible(page)
  await button(dialog, 'Close').last().click()
  await expect(page.getByText('No users yet')).toBeVisible()

  // Nor together with other selected users.
  await page.goto('/users')
  await page.getByRole('checkbox', { name: 'Select admin' }).check()
  await button(page, 'Actions').click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
})

test('an administrator resets the two factor of a user who has lost the phone', async ({
  page,
  api,
  baseURL,
  faults,
}) => {
  faults.allow(/status of 409/)
  const { nick } = await newUser(api)
  const { collection } = await api.get(
    `/api/admin/enterprises/1/users?has=${nick}`,
    z.object({ collection: z.array(member) }),
  )
  const id = collection[0]?.id
  await apiAs(baseURL, nick, chosenPassword).post(
    `/api/admin/enterprises/1/users/${id}/action/enable2fa`,
    { type: 'APP_AUTHENTICATOR' },
    z.object({}),
  )
  await signIn(page)
  await page.goto(`/enterprises/1/users/${id}`)
  await expect(page.getByText('Two factor is on')).toBeVisible()
  await button(page, 'Reset two factor').click()
  await expectAccessible(page)
  // Where two approvals are needed: the first one, and the same administrator once more.
  const reset = button(page.getByRole('dialog'), 'Reset two factor')
  await page.route('**/action/reset2fa', (route) =>
    route.fulfill({ json: { links: [], approvals: 1, approvalsNeeded: 2, done: false } }),
  )
  await reset.click()
  await expect(notification(page, /^Approval 1 of 2 is given/)).toBeVisible()
  await button(page, 'Reset two factor').click()
  await page.route('**/action/reset2fa', (route) =>
    route.fulfill({ status: 409, json: { links: [], collection: [{ code: '2FA-12', message: 'Another' }] } }),
  )
  await reset.click()
  await expect(page.getByRole('dialog').getByText('2FA-12')).toBeVisible()
  await page.unroute('**/action/reset2fa')
  await reset.click()
  await expect(notification(page, `Two factor of ${nick} is off, and all sessions have ended.`)).toBeVisible()
  await expect(page.getByText('Two factor is off', { exact: true })).toBeVisible()
})

test('a role is made of groups of privileges, its difference is shown, and it stays while users have it', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 409/)
  const name = fresh('DESK').replace(' ', '_')
  await signIn(page)
  await page.goto('/roles/new')
  await field(page, 'Name').fill('AUDITOR')
  await page
    .getByRole('textbox', { name: /^Find privileges/ })
    .or(page.getByRole('searchbox', { name: /^Find privileges/ }))
    .fill('events')
  await expect(page.getByRole('checkbox', { name: /Manage scopes/ })).toBeHidden()
  await button(page, 'Select all of Events').click()
  await button(page, 'Create role').click()
  await expect(page.getByText('ROLE-7')).toBeVisible()
  await field(page, 'Name').fill(name)
  await button(page, 'Create role').click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByText('2 of 27')).toBeVisible()
  const { pathname } = new URL(page.url())
  const role = Number(pathname.split('/').at(-1))

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('checkbox', { name: /^View all events/ }).uncheck()
  await page.getByRole('checkbox', { name: /^View users/ }).check()
  await expect(page.getByText('1 privilege added')).toBeVisible()
  await expect(page.getByText('1 privilege removed')).toBeVisible()
  await expect(page.getByText('No user that you see has this role.')).toBeVisible()
  await expectAccessible(page)
  // Another user grants more meanwhile: the ETag of the document does not change.
  await api.put(
    `/api/admin/roles/${role}`,
    { name, links: [{ rel: 'privilege', href: `/api/config/privileges/${idOf('VDC_MANAGE')}` }] },
    named,
  )
  await button(page, 'Save').click()
  await expect(page.getByText('Changed by somebody else', { exact: true })).toBeVisible()
  await button(page, 'All mine').click()
  await button(page, 'Save').click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByText('2 of 27')).toBeVisible()

  const { nick } = await newMember(api, 1, role)
  await button(page, 'Delete').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(name)
  await button(dialog, 'Delete').click()
  await expect(dialog.getByText('ROLE-3')).toBeVisible()
  await dialog.getByRole('link', { name: 'Show the users of this role' }).click()
  await expect(page.getByRole('link', { name: nick })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/users\\?role=${role}`))
})

test('roles are compared side by side, and the blocked one is only read', async ({ page }) => {
  await signIn(page)
  await page.goto('/roles')
  await page.getByRole('checkbox', { name: 'Select USER', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Select ENTERPRISE_VIEWER' }).check()
  await page.getByRole('link', { name: 'Compare', exact: true }).last().click()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) })
  await expect(row('MANAGE_NATIPS')).toContainText('–')
  await page.getByRole('switch', { name: 'Only where they differ' }).click()
  await expect(row('VDC_ENUMERATE')).toBeHidden()
  await page.reload()
  await expect(row('VDC_MANAGE_VAPP')).toBeVisible()
  await expect(row('VDC_ENUMERATE')).toBeHidden()
  await expectAccessible(page)

  await page.goto('/roles/1/edit')
  await expect(page.getByText('This role is blocked')).toBeVisible()
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await expect(field(page, 'Name')).toHaveValue('Copy of CLOUD_ADMIN')
  await expect(page.getByText('(27/27)')).toBeVisible()
})

test('with fewer privileges, forbidden actions show the reason and the next step', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of (403|404)/)
  const { id: enterprise } = await newEnterprise(api)
  const desk = await newRole(
    api,
    'USERS_VIEW',
    'USERS_MANAGE_USERS',
    'USERS_VIEW_PRIVILEGES',
    'USERS_MANAGE_ROLES',
  )
  const { nick } = await newUser(api, 1, desk.name)
  const other = await newMember(api, enterprise, desk.id)
  await signIn(page, nick, chosenPassword)

  await page.goto('/enterprises/2')
  await expect(heading(page, 'You may not open this screen')).toBeVisible()
  await expect(page.getByText('ENTERPRISE_ENUMERATE')).toBeVisible()
  await page.getByRole('link', { name: 'Go to home' }).click()

  // A user of another enterprise.
  await page.goto(`/enterprises/${enterprise}/users/${other.id}/edit`)
  await expect(page.getByText('USERS_MANAGE_OTHER_ENTERPRISES')).toBeVisible()
  // A user with more privileges.
  await page.goto('/enterprises/1/users/1/edit')
  await expect(page.getByText(/^This user’s role has privileges that you do not hold/)).toBeVisible()
  // A role that grants more.
  await page.goto('/users/new')
  await openMore(page)
  await expect(page.getByRole('combobox', { name: 'Enterprise' })).toBeDisabled()
  await pick(page, 'Role', 'CLOUD_ADMIN')
  await expect(page.getByText(/^You cannot give this role/)).toBeVisible()
  // Privileges that the user does not hold.
  await page.goto('/roles/new')
  await expect(page.getByRole('checkbox', { name: /^Manage scopes/ })).toBeDisabled()
  await expect(page.getByText('You cannot grant a privilege that you do not have.').first()).toBeVisible()
  await page.goto('/roles/2')
  await expect(button(page, 'Delete')).toHaveAttribute('aria-disabled', 'true')
})

test('a service account is made without a password, and acts by a token alone', async ({
  page,
  baseURL,
  faults,
}) => {
  faults.allow(/status of 401/)
  const nick = fresh('robot').replace(' ', '-')
  await signIn(page)
  await page.goto('/users/new')
  await openMore(page)
  await page.getByRole('radio', { name: 'Service account' }).check()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await field(page, 'User name').fill(nick)
  await field(page, 'First name').fill('Robot')
  await pick(page, 'Role', 'USER')
  await expectAccessible(page)
  await button(page, 'Create user').click()
  await expect(heading(page, nick)).toBeVisible()
  await expect(page.getByText('Access tokens only')).toBeVisible()

  await page.getByRole('tab', { name: 'Access tokens' }).click()
  await page.getByRole('link', { name: 'Create access token' }).click()
  // The privileges of its role, not of the administrator.
  await expect(page.getByRole('checkbox')).toHaveCount(5)
  await field(page, 'Name').fill('Robot')
  await page.getByRole('checkbox', { name: 'View virtual datacenters' }).check()
  await button(page, 'Create access token').click()
  const token = await page.getByText(/^sat_\w{46}$/).innerText()
  const headers = { authorization: `Token ${token}`, accept: 'application/json' }
  expect(await (await fetch(`${baseURL}/api/login`, { headers })).json()).toMatchObject({ nick })
  const signedIn = await page.request.post('/api/session', {
    data: { nick, password: 'a password of a robot' },
  })
  expect(signedIn.status()).toBe(401)
})
