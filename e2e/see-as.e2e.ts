import type { Buffer } from 'node:buffer'
import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import type { Api } from './api'
import { expect, expectNoBarrier, signIn, test } from './fixtures'
import { expectLoaded, expectSettled } from './looks'
import { fresh, newAdministrator, newRole, newUser, type Person } from './people'
import { blankPage, difference, toWebp } from './webp'

const linked = z.looseObject({
  id: z.int(),
  links: z.array(z.looseObject({ rel: z.string(), href: z.string() })),
})
const users = z.object({ collection: z.array(linked) })

const enterprise = 2

/** A user who sees one enterprise and one datacenter of the sample cloud, and the path of their page. */
async function newLimitedUser(api: Api): Promise<{ person: Person; path: string }> {
  const role = await newRole(
    ...([
      api,
      'PHYS_DC_ENUMERATE',
      'PHYS_DC_RETRIEVE_DETAILS',
      'VDC_ENUMERATE',
      'VDC_MANAGE',
      'USERS_VIEW',
    ] as const),
  )
  const scopeEntities = [
    { idResource: enterprise, type: 'ENTERPRISE' },
    { idResource: 1, type: 'DATACENTER' },
  ]
  const scope = await api.post('/api/admin/scopes', { name: fresh('Limited'), scopeEntities }, linked)
  const person = await newUser(api, enterprise, role.name)
  const found = await api.get(`/api/admin/enterprises/${enterprise}/users?has=${person.nick}`, users)
  const [user] = found.collection
  if (!user) throw new Error('the user is not in the list')
  const path = `/enterprises/${enterprise}/users/${user.id}`
  const links = [...user.links, { rel: 'scope', href: `/api/admin/scopes/${scope.id}` }]
  await api.put(`/api/admin${path}`, { ...user, links }, linked)
  return { person, path }
}

const bar = (page: Page) => page.getByRole('region', { name: 'View of another user' })

const lists = [
  '/nat/networks',
  '/nat/ips',
  '/nat/rules',
  '/virtualmachines',
  '/virtualdatacenters',
  '/datacenters',
  '/users',
]

/** The screen, without what is around it. */
async function screenAt(page: Page, path: string): Promise<Buffer> {
  await page.goto(path)
  await expectLoaded(page)
  await expectSettled(page)
  await page.mouse.move(0, 0)
  return page.locator('main').screenshot({ animations: 'disabled', caret: 'hide' })
}

/** The share of pixels that differ visibly: at another height the browser draws the edge of a letter a little otherwise. */
async function differenceOf(page: Page, one: Buffer, other: Buffer): Promise<number> {
  const blank = await blankPage(page)
  return difference(blank, one, 1, await toWebp(blank, other, 1))
}

const navigation = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()

test('an administrator sees what a user sees, to the pixel, and changes nothing', async ({
  page,
  api,
  browser,
  faults,
}) => {
  faults.allow(/status of 403/)
  const { person, path } = await newLimitedUser(api)
  const { nick } = person
  const context = await browser.newContext()
  const own = await context.newPage()
  await signIn(own, nick, person.password)
  const administrator = await newAdministrator(api)
  await signIn(page, administrator.nick, administrator.password)

  await page.goto(path)
  await page.getByRole('button', { name: 'See as …' }).click()
  const dialog = page.getByRole('dialog', { name: `See the console as ${nick}?` })
  await dialog.getByRole('button', { name: `See as ${nick}` }).click()
  await expect(page).toHaveURL('/')
  await expect(bar(page)).toContainText(`You see what ${nick} sees. Nothing can be changed.`)
  await expectSettled(page)
  await expectNoBarrier(page)

  // The bar takes its height from the screen.
  const size = { width: 1440, height: 900 }
  const height = Math.round((await bar(page).boundingBox())?.height ?? 0)
  await own.setViewportSize(size)
  await page.setViewportSize({ ...size, height: size.height + height })
  for (const list of lists) {
    const shown = await screenAt(page, list)
    expect(await differenceOf(page, shown, await screenAt(own, list)), list).toBe(0)
  }
  const theirs = await navigation(own)
  expect(await navigation(page)).toEqual(theirs.filter((name) => name !== 'My account'))

  await page.goto('/account')
  await expect(page.getByText(`The account of ${nick} is for ${nick} alone.`)).toBeVisible()
  await page.goto('/virtualdatacenters')
  await page.getByRole('button', { name: 'Create' }).first().click()
  const save = page.getByRole('dialog').getByRole('button', { name: /^Create/ })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expect(save).toHaveAccessibleDescription(`You see what ${nick} sees: nothing can be changed.`)
  const written = await page.request.delete(`/api/admin${path}`)
  expect([written.status(), await written.text()]).toEqual([403, expect.stringContaining('SEE-AS-1')])

  const tab = await page.context().newPage()
  await tab.goto('/users')
  await expect(bar(tab)).toBeVisible()
  await bar(tab).getByRole('button', { name: 'End' }).click()
  await expect(tab).toHaveURL(path)
  await expect(tab.getByRole('button', { name: 'See as …' })).toBeVisible()
  await expect(bar(tab)).toHaveCount(0)
  // The other tab has heard of it.
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: administrator.nick })).toBeVisible()
  await context.close()
})

/** Another administrator, whose view the session of the page shows. */
async function openView(page: Page, api: Api): Promise<string> {
  const [viewer, seen] = [await newAdministrator(api), await newAdministrator(api)]
  const found = await api.get(`/api/admin/enterprises/_/users?has=${seen.nick}`, users)
  const href = found.collection[0]?.links.find(({ rel }) => rel === 'edit')?.href ?? ''
  await signIn(page, viewer.nick, viewer.password)
  const begun = await page.request.post(`${new URL(href).pathname}/action/seeas`)
  expect(begun.status()).toBe(204)
  return seen.nick
}

test('in a view the buttons that change something say why they do not, and questions are answered', async ({
  page,
  api,
}) => {
  const nick = await openView(page, api)
  const reason = `You see what ${nick} sees: nothing can be changed.`
  const expectRefused = async (button: Locator) => {
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAccessibleDescription(reason)
  }
  const dialog = page.getByRole('dialog')

  await page.goto('/users')
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await expectRefused(
    page.getByRole('region', { name: 'All users' }).getByRole('button', { name: 'Disable' }),
  )
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('button', { name: 'API', exact: true }).click()
  await expect(dialog).toContainText(`they return what you see, not what ${nick} sees`)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.goto('/enterprises')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import CSV' }).click()
  await expectRefused(dialog.getByRole('button', { name: 'Show the difference' }))

  await page.goto('/')
  await page.getByRole('button', { name: 'Publish a port' }).click()
  await expectRefused(dialog.getByRole('button', { name: 'Publish', exact: true }))

  await page.goto('/datacenters/1?tab=check')
  await page.getByRole('button', { name: 'What happens to this packet?' }).click()
  await dialog.getByRole('textbox', { name: 'From' }).fill('198.51.100.7')
  await dialog.getByRole('textbox', { name: 'To', exact: true }).fill('203.0.113.5')
  await dialog.getByRole('textbox', { name: 'Destination port' }).press('Enter')
  await expect(dialog.getByRole('list', { name: 'The path of the packet' })).toBeVisible()
})
