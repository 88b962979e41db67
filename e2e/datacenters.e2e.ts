import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { expect, expectAccessible, signIn, test } from './fixtures'
import { reportBy } from './gateway'
import { newUser } from './people'

test('a datacenter is created, its taken name is reported at the field, changed by two, and deleted', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of (409|412)/)
  await signIn(page)
  await page.goto('/datacenters')
  await page.getByRole('button', { name: 'Create datacenter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create datacenter' }).click()
  await expect(dialog.getByText('Enter 1 to 128 characters.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Madrid')
  await dialog.getByRole('textbox', { name: /Location/ }).fill('Lisboa, Portugal')
  await dialog.getByRole('button', { name: 'Create datacenter' }).click()
  await expect(dialog.getByText('DC-3')).toBeVisible()
  await expect(dialog.getByText(/Request id/)).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expect(dialog.getByRole('textbox', { name: /Location/ })).toHaveValue('Lisboa, Portugal')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lisbon')
  await dialog.getByRole('button', { name: 'Create datacenter' }).click()
  await expect(page.getByText('The datacenter Lisbon is saved.')).toBeVisible()

  await page.getByRole('link', { name: 'Lisbon', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Lisbon' })).toBeVisible()
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lisbon South')
  await api.put(
    `/api/admin/datacenters/${id}`,
    { id, name: 'Lisbon North', location: 'Almada' },
    z.object({}),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  // Fields changed only by the other user are merged. Fields changed by both wait for a choice.
  await expect(dialog.getByRole('cell', { name: 'Almada' })).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: /Location/ })).toHaveValue('Almada')
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await expect(dialog.getByRole('cell', { name: 'Lisbon North' })).toBeVisible()
  await dialog.getByRole('radio', { name: 'Name: Theirs' }).check()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Lisbon North')
  await dialog.getByRole('radio', { name: 'Name: Mine' }).check()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Lisbon South')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Lisbon South' })).toBeVisible()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('textbox').fill('Lisbon South')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The datacenter Lisbon South is deleted.')).toBeVisible()
  await expect(page).toHaveURL(/\/datacenters$/)
})

test('a datacenter in use shows the reason against its deletion', async ({ page, faults }) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/datacenters')
  await page.getByRole('button', { name: 'Delete Frankfurt' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Frankfurt')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('DC-5')).toBeVisible()
  await expect(dialog.getByText(/Delete its NAT networks/)).toBeVisible()
  await expectAccessible(page)
})

const RULES = '/api/admin/datacenters/3/natnetworks/action/allrules'
const ruleList = z.object({
  collection: z.array(
    z.object({
      id: z.number(),
      originalPort: z.number().optional(),
      links: z.array(z.object({ rel: z.string(), title: z.string().optional() })),
    }),
  ),
})

test('the page of a datacenter keeps its tab, and its devices are created, started, changed and deleted', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/datacenters/3')
  await page.getByRole('tab', { name: 'Remote services' }).click()
  await expect(page.getByRole('gridcell', { name: 'Running' }).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Racks' }).click()
  await expect(page.getByRole('rowheader', { name: 'Row A, rack 1' })).toBeVisible()
  await page.getByRole('tab', { name: 'Check' }).click()
  await expect(page.getByText(/^\d+ errors?, \d+ warnings?, \d+ notes?$/)).toBeVisible()
  await expect(page.getByRole('tab', { name: /^Check \(\d+\)$/ })).toBeVisible()
  await expectAccessible(page)
  const checked = page.getByRole('dialog')
  const menu = page.getByRole('button', { name: /^Actions for Rules of machines that are off: / })
  await menu.first().click()
  await expect(page.getByRole('menuitem', { name: 'Delete the rule…' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Set aside …' }).click()
  await checked.getByRole('button', { name: 'Set aside' }).click()
  await expect(checked.getByText('Say why, in 1 to 200 characters')).toBeVisible()
  await checked.getByRole('textbox', { name: 'Reason' }).fill('Moves next month')
  await expectAccessible(page)
  await checked.getByRole('button', { name: 'Set aside' }).click()
  await expect(page.getByText('The finding is set aside.')).toBeVisible()
  await page.getByRole('button', { name: 'Set aside (1)' }).click()
  await expect(page).toHaveURL(/check\.setaside=true/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByText(/^Until .* by admin: Moves next month$/)).toBeVisible()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Show again' }).click()
  await checked.getByRole('button', { name: 'Show again' }).click()
  await expect(page.getByText('The finding is shown again.')).toBeVisible()
  await page.getByRole('button', { name: /^Open \(\d+\)$/ }).click()
  await page.getByRole('button', { name: 'What happens to this packet?' }).click()
  await checked.getByRole('button', { name: 'Show the path' }).click()
  await expect(checked.getByText('Enter an IPv4 or IPv6 address.').first()).toBeVisible()
  const [rule] = (await api.get(`${RULES}?snat=false&protocol=TCP&limit=1`, ruleList)).collection
  const to = rule?.links.find(({ rel }) => rel === 'original')?.title ?? ''
  const inner = rule?.links.find(({ rel }) => rel === 'translated')?.title ?? ''
  await checked.getByRole('textbox', { name: 'From' }).fill('198.51.100.7')
  await checked.getByRole('textbox', { name: 'To', exact: true }).fill(to)
  await checked.getByRole('textbox', { name: 'Destination port' }).fill(String(rule?.originalPort ?? 80))
  await checked.getByRole('button', { name: 'Show the path' }).click()
  await expect(checked.getByRole('list', { name: 'The path of the packet' })).toContainText(
    `DNAT rule ${rule?.id} changes the destination`,
  )
  await expect(checked.getByText(new RegExp(`^${inner.replaceAll('.', '\\.')} : \\d+$`))).toBeVisible()
  await expectAccessible(page)
  await checked.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('tab', { name: 'Devices' }).click()
  await page.reload()
  await expect(page.getByRole('rowheader', { name: 'Singapore edge router' })).toBeVisible()

  await page.getByRole('button', { name: 'Create device' }).first().click()
  const dialog = page.getByRole('dialog')
  const type = dialog.getByRole('button', { name: /Type/ })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Singapore edge router')
  await dialog.getByRole('radio', { name: 'Keep a list only' }).click()
  await expect(type).toContainText('LOGICAL')
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Carry NAT on a Linux machine' }).click()
  await dialog.getByRole('button', { name: 'Create device' }).click()
  await expect(dialog.getByText('NETDEVICE-2')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Singapore spare gateway')
  await dialog.getByLabel(/Password/).fill('secret')
  await dialog.getByRole('button', { name: 'Create device' }).click()
  await expect(page.getByText('The device Singapore spare gateway is saved.')).toBeVisible()

  await page.getByRole('link', { name: 'Singapore spare gateway' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Singapore spare gateway' })).toBeVisible()
  await expect(page.getByText('Not managed', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Make the command' }).click()
  const command = page.getByText(/^GATEWAY_TOKEN=/)
  await expect(page.getByText('Waiting for the first report')).toBeVisible()
  await expectAccessible(page)
  const typed = await command.innerText()
  await reportBy(typed, 3)
  await expect(page.getByText('The gateway reports.')).toBeVisible()
  await expect(page.getByText('In sync', { exact: true })).toBeVisible()
  await reportBy(typed, 3, { drift: [{ reason: 'dnat_hosts 192.0.2.9 was added by another program' }] })
  await expect(page.getByRole('rowheader', { name: /was added by another program/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Events' }).click()
  await expect(page.getByText('The gateway of Singapore spare gateway is now drifted.')).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'What needs you' })).toBeVisible()
  await page.getByRole('link', { name: 'Singapore spare gateway' }).first().click()
  await expect(page.getByText(/Another program changed the translations/)).toBeVisible()
  await page.getByRole('button', { name: 'Begin changes' }).click()
  const waiting = page.getByText('Changes of Singapore spare gateway go back unless you confirm them')
  await expect(waiting).toBeVisible()
  await expectAccessible(page)
  await page.goto('/datacenters/3?tab=devices')
  await expect(page.getByText(/^\d+ seconds left$/)).toBeVisible()
  await page.getByRole('button', { name: 'Keep the changes' }).click()
  await expect(page.getByText('The changes of Singapore spare gateway stay.')).toBeVisible()
  await expect(waiting).toBeHidden()

  await page.getByRole('button', { name: 'Edit Singapore logical gateway' }).click()
  await type.click()
  await page.getByRole('option', { name: /FIREWALL/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('NETDEVICE-3')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Delete Singapore logical gateway' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('NETDEVICE-3')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete Singapore spare gateway' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The device Singapore spare gateway is deleted.')).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'Singapore spare gateway' })).toBeHidden()
})

test('unsaved input is confirmed before leaving; a list is exported to CSV', async ({ page }) => {
  await signIn(page)
  await page.goto('/datacenters')
  await page.getByRole('link', { name: 'Madrid', exact: true }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Madrid II')
  await page.goBack()
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Madrid II')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/datacenters?has=a&by=id')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const file = await (await download).path()
  expect(await readFile(file, 'utf8')).toMatch(/^id,name,location,description,tags\r\n1,Madrid,/)
})

test('a user without the privilege to see devices or datacenters gets an explanation', async ({
  page,
  api,
}) => {
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/datacenters/1')
  await expect(page.getByRole('heading', { level: 1, name: 'You may not open this screen' })).toBeVisible()
  await expect(page.getByText('PHYS_DC_ENUMERATE')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Home' }).first()).toBeVisible()

  // An enterprise administrator lists datacenters, and sees into their networks alone.
  await signIn(page, 'ana.alvarez.1')
  await page.goto('/datacenters/1?tab=devices')
  await expect(page.getByRole('tab', { name: 'NAT networks', selected: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Devices' })).toHaveAccessibleDescription(
    /PHYS_DC_RETRIEVE_DETAILS/,
  )
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
})
