import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import type { Api } from './api'
import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { newUser } from './people'

const made = z.object({ id: z.int() })
const link = (rel: string, path: string) => ({ rel, href: `/api/admin/${path}` })
const unique = (what: string) => `${what} ${crypto.randomUUID().slice(0, 8)}`

type NewScope = { name: string; parent?: number; enterprises?: number[] }

async function newScope(api: Api, { name, parent = 2, enterprises = [] }: NewScope): Promise<number> {
  const scopeEntities = enterprises.map((idResource) => ({ idResource, type: 'ENTERPRISE' }))
  const body = { name, scopeEntities, links: [link('scopeParent', `scopes/${parent}`)] }
  return (await api.post('/api/admin/scopes', body, made)).id
}

/** A scope that an enterprise, a user of it, a role and a scope below need. */
async function neededScope(api: Api) {
  const names = {
    enterprise: unique('Needy'),
    nick: unique('needy').replace(' ', '.'),
    role: unique('NEEDY'),
    scope: unique('Needed'),
    child: unique('Child'),
  }
  const enterprise = (await api.post('/api/admin/enterprises', { name: names.enterprise }, made)).id
  const scope = await newScope(api, { name: names.scope, enterprises: [enterprise] })
  const links = [link('scope', `scopes/${scope}`)]
  await api.put(
    `/api/admin/enterprises/${enterprise}`,
    { id: enterprise, name: names.enterprise, links },
    made,
  )
  const role = await api.post('/api/admin/roles', { name: names.role, links }, made)
  await newScope(api, { name: names.child, parent: scope })
  const user = { nick: names.nick, name: 'Needy', password: 'a password of a needy one' }
  await api.post(
    `/api/admin/enterprises/${enterprise}/users`,
    { ...user, links: [...links, link('role', `roles/${role.id}`)] },
    made,
  )
  return { ...names, id: scope }
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

async function askFor(page: Page, action: 'Move' | 'Delete') {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a tag narrows the tree, from the line and from the page of a scope', async ({ page, api }) => {
  const [parent, child, tag] = [unique('Tag parent'), unique('Tag child'), unique('a "b"')]
  const above = await newScope(api, { name: parent })
  const links = [link('scopeParent', `scopes/${above}`)]
  const { id } = await api.post(
    '/api/admin/scopes',
    { name: child, scopeEntities: [], tags: [tag], links },
    made,
  )
  await signIn(page)
  await page.goto(`/scopes/${id}`)
  await page.getByRole('link', { name: tag }).click()
  await expect(page.getByText('1 match', { exact: true })).toBeVisible()
  await expect(rowOf(page, parent)).toBeVisible()
  await expect(rowOf(page, child)).toBeVisible()
  const line = page.getByRole('combobox', { name: 'Find scopes by name' })
  await expect(line).toHaveValue(`tag:"${tag.replaceAll('"', '\\"')}"`)
  await line.fill('')
  await line.press('Enter')
  await expect(page).not.toHaveURL(/tag=/)
})

test('the tree opens level by level, a search shows the way to each hit, and all of it survives a reload', {
  tag: always,
}, async ({ page }) => {
  await signIn(page)
  await page.goto('/scopes?open=0-1')
  await expect(page.getByRole('link', { name: 'Norway' })).toBeHidden()
  await page.getByRole('button', { name: 'Open Europe' }).click()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()

  const search = page.getByLabel('Find scopes by name')
  await search.fill('telecom')
  await expect(page.getByRole('link', { name: 'Jade Telecom', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Global scope' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeHidden()
  await search.fill('no scope is called so')
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()

  const visibleIn = page.getByRole('combobox', { name: /Visible in enterprise/ })
  await visibleIn.fill('fjord')
  await page.getByRole('option', { name: 'Fjord Shipping' }).click()
  await expect(page.getByRole('link', { name: 'Fjord Shipping', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Japan' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Europe' })).toBeHidden()
  await expect(page).toHaveURL(/enterprise=\d+/)
  await page.reload()
  await expect(visibleIn).toHaveValue('Fjord Shipping')
  await expect(page.getByRole('link', { name: 'Europe' })).toBeHidden()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()
})

test('the map draws the tree, follows links, and is saved as a file of its own', async ({ page }) => {
  await signIn(page)
  await page.goto('/scopes')
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Map of scopes' })).toBeVisible()
  await expect(page.getByText(/^\d+ scopes are drawn\./)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Global scope/ })).toBeInViewport()
  await expectAccessible(page)
  // Two levels below the root are drawn; the dashed boxes open the others.
  await page.getByRole('link', { name: /^Draw \d+ more below Japan$/ }).click()
  await expect(page.getByRole('link', { name: /^Fjord Shipping/ })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save SVG' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  expect(text).toContain('Fjord Shipping')
  await page.getByRole('link', { name: /^Europe/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Europe' })).toBeVisible()
})

test('the search of the map draws the way to a scope, with the others folded; the open scope of the tree is marked', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/scopes/map')
  await page.getByRole('combobox', { name: 'Find a scope' }).fill('norw')
  await page.getByRole('option', { name: 'Norway' }).click()
  await expect(page).toHaveURL(/map\?found=\d+$/)
  const hit = page.getByRole('link', { name: /^Norway/ })
  await expect(hit).toHaveAttribute('aria-current', 'true')
  await expect(hit).toBeInViewport()
  await expect(page.getByRole('link', { name: /^Global scope/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Asia Pacific/ })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Draw \d+ more below Global scope$/ }).click()
  await expect(page.getByRole('link', { name: /^Asia Pacific/ })).toBeVisible()
  await expect(hit).toBeVisible()

  await page.goto('/scopes?open=0-1&row=2')
  await expect(rowOf(page, 'Europe')).toHaveAttribute('aria-current', 'true')
  await expect(rowOf(page, 'Americas')).not.toHaveAttribute('aria-current')
  // On a phone nothing is cut.
  await page.setViewportSize({ width: 400, height: 800 })
  await page.goto('/scopes?open=0-1')
  await expect(rowOf(page, 'Europe')).toBeVisible()
  const cut = await page
    .locator('tr[data-scope] *')
    .evaluateAll(
      (parts) =>
        parts.filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1).length,
    )
  expect(cut).toBe(0)
})

test('the tree is walked and a scope is moved by the keyboard alone', async ({ page, api }) => {
  const name = unique('Zagreb')
  await newScope(api, { name, parent: 2, enterprises: [2] })
  await signIn(page)
  await page.goto('/scopes?open=0-1')
  await page.getByRole('link', { name: 'Global scope' }).focus()
  await page.keyboard.type('eu')
  await expect(page.getByRole('link', { name: 'Europe' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('link', { name: 'Norway' })).toBeVisible()
  await page.keyboard.type('zag')
  await expect(page.getByRole('link', { name })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('link', { name: 'Europe' })).toBeFocused()

  await page.keyboard.type('zag')
  await page.keyboard.press('Control+x')
  await expect(page.getByText(`${name} is picked up.`)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Control+v')
  await expect(page.getByText('The current parent')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText(`${name} is picked up.`)).toBeHidden()

  await page.keyboard.type('zag')
  await page.keyboard.press('Control+x')
  await page.keyboard.type('asia')
  await page.keyboard.press('Control+v')
  const dialog = page.getByRole('dialog', { name: `Move ${name} below Asia Pacific?` })
  await expect(dialog.getByText('Nobody will see more or less than before.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByText(`${name} is now below Asia Pacific.`)).toBeVisible()
  await expect(rowOf(page, name)).toHaveAttribute('aria-level', '3')
})

test('a scope is dragged onto its new parent, by mouse and by finger', async ({ page, api }) => {
  const name = unique('Zagreb')
  await newScope(api, { name, parent: 2 })
  await signIn(page)
  await page.goto('/scopes?open=0-1-2')
  const row = rowOf(page, name)
  const middleOf = async (target: Locator) => {
    const box = await target.boundingBox()
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  const from = await middleOf(row.getByRole('link'))
  const onto = await middleOf(rowOf(page, 'Asia Pacific'))
  const own = await middleOf(rowOf(page, 'Europe'))

  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(own.x, own.y, { steps: 4 })
  await expect(rowOf(page, 'Europe')).toHaveAttribute('data-drop', 'refused')
  await page.mouse.move(onto.x, onto.y, { steps: 4 })
  await expect(rowOf(page, 'Asia Pacific')).toHaveAttribute('data-drop', 'allowed')
  await page.mouse.up()
  const dialog = page.getByRole('dialog', { name: `Move ${name} below Asia Pacific?` })
  await expect(dialog.getByText('Nobody will see more or less than before.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // Escape puts the scope back, and the release of the button is then no drop.
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(onto.x, onto.y, { steps: 4 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(rowOf(page, 'Asia Pacific')).not.toHaveAttribute('data-drop')
  await expect(dialog).toBeHidden()

  const grip = await middleOf(row.locator('[data-grip]'))
  const finger = { pointerType: 'touch', isPrimary: true, pointerId: 7, button: 0, bubbles: true }
  await row
    .locator('[data-grip]')
    .dispatchEvent('pointerdown', { ...finger, clientX: grip.x, clientY: grip.y })
  await row.dispatchEvent('pointermove', { ...finger, clientX: onto.x, clientY: onto.y })
  await row.dispatchEvent('pointerup', { ...finger, clientX: onto.x, clientY: onto.y })
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByText(`${name} is now below Asia Pacific.`)).toBeVisible()
})

test('a scope is created, renamed without a question, moved in the dialog and deleted', {
  tag: always,
}, async ({ page }) => {
  const name = unique('Portugal')
  await signIn(page)
  await page.goto('/scopes/new?parent=2')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create scope' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} and islands`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name} and islands` })).toBeVisible()

  await askFor(page, 'Move')
  const dialog = page.getByRole('dialog')
  // Beside more than three roots, which other tests may leave, the tree begins closed.
  await dialog.getByLabel('Find scopes by name').fill('europe')
  await expect(dialog.getByText('The current parent')).toBeVisible()
  await dialog.getByLabel('Find scopes by name').fill(name)
  await expect(dialog.getByText('A scope cannot be its own parent')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Find scopes by name').fill('chile')
  await dialog.getByText('Chile', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByText(/is now below Chile/)).toBeVisible()
  await expect(page.getByLabel('Breadcrumbs').getByRole('link', { name: 'Chile' })).toBeVisible()

  await askFor(page, 'Delete')
  await expect(dialog.getByText('Nobody will see more or less than before.')).toBeVisible()
  await dialog.getByRole('textbox').fill(`${name} and islands`)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`${name} and islands is deleted.`)).toBeVisible()
  await expect(page).toHaveURL(/\/scopes$/)
})

test('a scope and the tree are seen as they were, marked and without any action that changes them', async ({
  page,
  api,
}) => {
  const [first, second] = [unique('First name'), unique('Second name')]
  const id = await newScope(api, { name: first })
  const moment = new Date().toISOString()
  await api.put(
    `/api/admin/scopes/${id}`,
    { id, name: second, links: [link('scopeParent', 'scopes/2')] },
    made,
  )
  await signIn(page)
  await page.goto(`/scopes/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(second)
  await page.getByRole('button', { name: 'As of …' }).click()
  const bar = page.getByRole('region', { name: 'Moment' })
  await expect(bar.getByRole('textbox', { name: 'Day' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'As of …' })).toBeFocused()
  await page.goto(`/scopes/${id}?asof=${moment}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first)
  await expect(page.getByText(/^You are looking at .* UTC$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto(`/scopes?has=${encodeURIComponent(first)}&asof=${moment}`)
  await expect(rowOf(page, first)).toBeVisible()
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(page).not.toHaveURL(/asof/)
  await expect(rowOf(page, first)).toHaveCount(0)
})

test('a scope shows all reasons against its deletion, and its users', async ({ page, api }) => {
  const { id, ...names } = await neededScope(api)
  await signIn(page)
  await page.goto(`/scopes/${id}`)
  await askFor(page, 'Delete')
  const dialog = page.getByRole('dialog')
  for (const code of ['SCOPE-5', 'SCOPE-12', 'SCOPE-17', 'SCOPE-19'])
    await expect(dialog.getByText(code, { exact: true })).toBeVisible()
  await expect(dialog.getByRole('link', { name: names.nick }).first()).toHaveAttribute(
    'href',
    /\/enterprises\/\d+\/users\/\d+$/,
  )
  await expect(dialog.getByRole('link', { name: names.role }).first()).toHaveAttribute(
    'href',
    /\/roles\/\d+$/,
  )
  await expect(dialog.getByRole('link', { name: names.child })).toHaveAttribute('href', /\/scopes\/\d+$/)
  await expect(dialog.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(page.getByRole('link', { name: names.nick })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: names.nick })).toBeVisible()
  await page.getByRole('tab', { name: 'Roles' }).click()
  await expect(page.getByRole('link', { name: names.role })).toBeVisible()
  await page.getByRole('tab', { name: 'Default of enterprises' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Default of enterprises' })
  await expect(panel.getByRole('link', { name: names.enterprise })).toBeVisible()
  await page.getByRole('tab', { name: 'Events' }).click()
  await expect(page.getByRole('rowheader').filter({ hasText: 'created the scope' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open in events' })).toHaveAttribute(
    'href',
    `/events?entity=scope&entityid=${id}`,
  )
})

test('the form shows the affected users and the refusals before it saves', async ({ page, api }) => {
  const { id, ...names } = await neededScope(api)
  await signIn(page)
  await page.goto(`/scopes/${id}/edit`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Europe')
  await page.getByRole('button', { name: `Remove ${names.enterprise}` }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  for (const code of ['SCOPE-8', 'SCOPE-13', 'SCOPE-0'])
    await expect(dialog.getByText(code, { exact: true })).toBeVisible()
  await expect(dialog.getByRole('link', { name: names.nick }).first()).toBeVisible()
  await expect(dialog.getByText('No longer seen through this scope')).toBeVisible()
  await expect(dialog.getByText('Users whose view changes')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('SCOPE-13')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Europe')

  await page.getByRole('textbox', { name: 'Name' }).fill(names.scope)
  const enterprises = page.getByRole('combobox', { name: 'Enterprises' })
  await enterprises.fill(names.enterprise)
  await page.getByRole('option', { name: names.enterprise }).click()
  await enterprises.fill('helio')
  await page.getByRole('option', { name: 'Helio Energy' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Seen through this scope from now on')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${names.scope} is saved.`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Helio Energy' })).toBeVisible()
})

test('a taken name is reported at its field; a change by another user keeps the typed text', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of (409|412)/)
  const name = unique('Contested')
  const id = await newScope(api, { name })
  await signIn(page)
  await page.goto('/scopes/new')
  await page.getByRole('button', { name: 'Create scope' }).click()
  await expect(page.getByText('Enter 1 to 128 characters.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Europe')
  await page.getByRole('button', { name: 'Create scope' }).click()
  await expect(page.getByText('SCOPE-0')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Europe')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()

  await page.getByRole('link', { name: 'Scopes' }).last().click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.goto(`/scopes/${id}/edit`)
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} by me`)
  const theirs = { scopeEntities: [{ idResource: 2, type: 'ENTERPRISE' }] }
  const links = [link('scopeParent', 'scopes/2')]
  await api.put(`/api/admin/scopes/${id}`, { id, name, ...theirs, links }, made)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('radio', { name: 'Enterprises: Theirs' })).toBeChecked()
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(1)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name} by me` })).toBeVisible()
})

test('a user without the privilege sees a message instead of the screen; a limited user sees no wider scope', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 404/)
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/scopes/2')
  await expect(page.getByRole('heading', { level: 1, name: 'You may not open this screen' })).toBeVisible()
  await expect(page.getByText('USERS_MANAGE_SCOPES')).toBeVisible()

  // A limited user administrator sees their own scope and those below, and changes none.
  await signIn(page, 'ana.alvarez.1')
  await page.goto('/scopes')
  await expect(page.getByRole('row')).not.toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Global scope' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create scope' })).toHaveCount(0)

  await signIn(page)
  await page.goto('/scopes/1/edit')
  await expect(page.getByText('The global scope cannot be changed.')).toBeVisible()
  await page.goto('/scopes/999999')
  await expect(page.getByText('SCOPE-1')).toBeVisible()
})
