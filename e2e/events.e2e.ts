import type { Page } from 'playwright/test'
import { z } from 'zod'
import type { Api } from './api'
import { expect, expectAccessible, signIn, test } from './fixtures'

const made = z.object({ id: z.int() })

/** A scope that is created, renamed and deleted: three events that no other test makes. */
async function shortLife(api: Api): Promise<{ id: number; name: string; renamed: string }> {
  const name = `Brief ${crypto.randomUUID().slice(0, 8)}`
  const renamed = `${name} renamed`
  const body = { name, scopeEntities: [{ idResource: 1, type: 'DATACENTER' }], links: [] }
  const { id } = await api.post('/api/admin/scopes', body, made)
  await api.put(`/api/admin/scopes/${id}`, { ...body, id, name: renamed, scopeEntities: [] }, made)
  await api.remove(`/api/admin/scopes/${id}`)
  return { id, name, renamed }
}

const rowOf = (page: Page, sentence: string) => page.getByRole('row').filter({ hasText: sentence })
const panel = (page: Page) => page.getByRole('complementary', { name: /^Event \d+$/ })
const timeOf = (page: Page, sentence: string) =>
  rowOf(page, sentence)
    .locator('a')
    .filter({ has: page.locator('time') })

test('events show user, action and resource, and one opens with before and after; the URL keeps all of it', async ({
  page,
  api,
}) => {
  const { name, renamed } = await shortLife(api)
  await signIn(page)
  await page.goto(`/events?has=${encodeURIComponent(name)}`)
  await expect(rowOf(page, `admin created the scope ${name}.`)).toBeVisible()
  await expect(rowOf(page, `admin deleted the scope ${renamed}.`)).toBeVisible()

  await timeOf(page, `admin changed the scope ${renamed}.`).click()
  await expect(panel(page)).toBeFocused()
  await expect(panel(page)).toContainText(new RegExp(`Before\\s*${name}\\s*After\\s*${renamed}`))
  await expectAccessible(page)
  await page.reload()
  await expect(panel(page)).toContainText(`admin changed the scope ${renamed}.`)

  await expect(rowOf(page, `admin deleted the scope ${renamed}.`)).toBeVisible()

  // By keyboard: to the ones above and below, at the ends no further, and back to the list.
  await panel(page).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(panel(page)).toContainText(`admin deleted the scope ${renamed}.`)
  await expect(panel(page).getByRole('button', { name: 'Previous event of the list' })).toBeDisabled()
  await panel(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect(panel(page)).toContainText(`admin changed the scope ${renamed}.`)
  await page.keyboard.press('ArrowRight')
  await expect(panel(page)).toContainText(`admin created the scope ${name}.`)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(timeOf(page, `admin created the scope ${name}.`)).toBeFocused()

  // By a press on the row the focus stays in the list.
  const deletion = rowOf(page, `admin deleted the scope`)
  await deletion.getByRole('gridcell').last().click()
  await expect(panel(page)).toContainText(`admin deleted the scope ${renamed}.`)
  await expect(deletion.getByRole('gridcell').last()).toBeFocused()

  await panel(page).getByRole('link', { name: 'Everything that was done to it' }).click()
  await expect(page).toHaveURL(/entity=scope&entityid=\d+/)
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.goBack()
  await expect(panel(page)).toBeVisible()
})

test('events are narrowed by properties and by time, and exported as they are narrowed', async ({
  page,
  api,
}) => {
  const { id, name } = await shortLife(api)
  await signIn(page)
  await page.goto(`/events?entity=scope&entityid=${id}`)
  await expect(page.getByRole('row')).toHaveCount(4)
  const filter = page.getByRole('combobox', { name: 'Find by name or by property' })
  await filter.press('End')
  await filter.pressSequentially(' Action = Delete')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/action=delete/)
  await expect(page.getByRole('row')).toHaveCount(2)

  await page.getByRole('button', { name: /Time of the events/ }).click()
  await page.getByRole('radio', { name: 'Last hour' }).check()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/last=PT1H/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(page.getByRole('button', { name: /Time of the events.*Last hour/ })).toBeVisible()

  const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  const csv = await (await page.request.get(href ?? '')).text()
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  expect(csv).toContain(name)

  await page.goto(`/events?entity=scope&entityid=${id}&from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z`)
  await page.getByRole('button', { name: 'Clear filter', exact: true }).click()
  await expect(page).toHaveURL(/\/events$/)
  await expect(page.getByRole('row').nth(2)).toBeVisible()
})

test('an event outside the list opens by its address and is undone, a missing one shows an error', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 404/)
  const { name, renamed } = await shortLife(api)
  const found = z.object({ collection: z.array(made) })
  const { collection } = await api.get(`/api/events?has=${encodeURIComponent(name)}&asc=true&limit=1`, found)
  await signIn(page)
  await page.goto(`/events?has=nothing+is+called+so&event=${collection[0]?.id}`)
  await expect(panel(page)).toContainText(`admin created the scope ${name}.`)
  await expect(panel(page).getByRole('button', { name: 'Next event of the list' })).toBeDisabled()

  const deleted = await api.get(`/api/events?has=${encodeURIComponent(name)}&action=delete&limit=1`, found)
  const id = deleted.collection[0]?.id
  await page.goto(`/events?event=${id}`)
  await panel(page).getByText('The whole object before and after').click()
  await expect(panel(page).getByRole('table')).toContainText(name)
  await panel(page).getByRole('button', { name: 'Undo …' }).click()
  const dialog = page.getByRole('dialog', { name: `Undo: delete the scope ${renamed}?` })
  await expect(dialog).toContainText(name)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText(`Undone: delete the scope ${renamed}.`)).toBeVisible()
  await expect(panel(page)).toContainText('Undone by')
  await expect(panel(page).getByRole('button', { name: 'Undo …' })).toHaveCount(0)

  await page.goto('/events?event=999999999')
  await expect(panel(page)).toContainText('EVENT-0')
  await expect(panel(page)).toContainText('Request id')
  await panel(page).getByRole('button', { name: 'Close the event' }).click()
  await expect(panel(page)).toHaveCount(0)
})

test('an event about several IPs lists them with before and after; sign-ins are one press away', async ({
  page,
  api,
}) => {
  const ips = '/api/admin/datacenters/1/natnetworks/action'
  const found = z.object({ collection: z.array(made.extend({ ip: z.string() })) })
  const { collection } = await api.get(`${ips}/allips?limit=3&quarantine=false`, found)
  const ids = collection.map(({ id }) => id)
  await signIn(page)
  const setAside = async (quarantine: boolean) =>
    (await page.request.post(`${ips}/changeips`, { data: { ids, quarantine } })).json()
  const { event } = await setAside(true)
  await page.goto(`/events?event=${event}`)
  const rows = panel(page).getByRole('grid', { name: 'What it touched' })
  await expect(rows.getByRole('row').filter({ hasText: 'Quarantine: no → yes' })).toHaveCount(ids.length)
  await expect(rows.getByText(collection[0]?.ip ?? '', { exact: true })).toBeVisible()
  const filter = panel(page).getByRole('searchbox', { name: 'Find by name' })
  await filter.fill(collection[1]?.ip ?? '')
  await expect(rows.getByRole('row').filter({ hasText: 'Quarantine: no → yes' })).toHaveCount(1)
  await expectAccessible(page)
  await setAside(false)

  await page.goto('/events')
  await expect(rowOf(page, 'signed in.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign-ins', exact: true }).click()
  await expect(page).toHaveURL(/about=signins/)
  await expect(rowOf(page, 'signed in.').first()).toBeVisible()
})

test('a user without the privilege to see events gets an explanation and a link onwards', async ({
  page,
}) => {
  await signIn(page, 'daniel.lopez.50')
  await page.goto('/events?event=1')
  await expect(page.getByText(/EVENTLOG_VIEW_ALL/)).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Events' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to home' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good /)
  await expect(page.getByRole('heading', { name: 'Latest changes' })).toHaveCount(0)
})
