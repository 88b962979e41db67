import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { attach, drop, newNetwork } from './nat-networks'
import { chosenPassword, newUser } from './people'

test('NAT IPs: an address is found by going to it, by tokens, and by going back', async ({ page }) => {
  await signIn(page)
  await page.goto('/datacenters/1/natips')
  const first = page.getByRole('row').nth(1)
  await expect(first).toContainText('100.64.0.1')

  const goTo = page.getByRole('textbox', { name: 'Go to address' })
  await goTo.fill('100.64.0')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await expect(page.getByText('This is not an IPv4 or IPv6 address.')).toBeVisible()
  await goTo.fill('100.64.0.60')
  await goTo.press('Enter')
  await expect(page.getByText('100.64.0.60 is in row 60.')).toBeVisible()
  await expect(page).toHaveURL(/page=3.*at=100\.64\.0\.60|at=100\.64\.0\.60.*page=3/)
  await expect(page.locator('mark')).toHaveText('100.64.0.60')
  await page.reload()
  await expect(page.locator('mark')).toHaveText('100.64.0.60')
  await goTo.fill('100.63.255.1')
  await goTo.press('Enter')
  await expect(page.getByText('It would be in row 1, before 100.64.0.1.')).toBeVisible()
  await page.goBack()
  await expect(page.locator('mark')).toHaveText('100.64.0.60')

  // A newer problem replaces what was found, and the field for a page shows the page of the rows.
  await expect(page.getByRole('spinbutton', { name: 'Page' })).toHaveValue('3')
  await goTo.fill('100.64')
  await goTo.press('Enter')
  await expect(page.getByText('100.64.0.60 is in row 60.')).toBeHidden()
  // Only an address that a network of the list can hold is offered.
  await goTo.fill('100.64.200.1')
  await goTo.press('Enter')
  await expect(page.getByRole('button', { name: 'Add 100.64.200.1' })).toBeVisible()
  await goTo.fill('9.9.9.9')
  await goTo.press('Enter')
  await expect(page.getByText(/^9\.9\.9\.9 is not in this list/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add 9.9.9.9' })).toHaveCount(0)

  // A link to an address leads to its page.
  await page.goto('/datacenters/1/natips?at=203.0.113.200&state=free')
  await expect(page.locator('mark')).toHaveText('203.0.113.200')
  await expect(page.getByText('State = Free')).toBeVisible()
})

test('NAT IPs are narrowed by tokens whose values the server finds, and exported as they are', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/datacenters/1/natips')
  const search = page.getByRole('combobox', { name: 'Find by IP or by a property' })
  await search.fill('Network = ipv6')
  await page.getByRole('option', { name: /Madrid IPv6/ }).click()
  await expect(page.getByText('Network = Madrid IPv6')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'NAT IPs (300)' })).toBeVisible()
  await expect(page).toHaveURL(/network=\d+/)
  await page.reload()
  await expect(page.getByText('Network = Madrid IPv6')).toBeVisible()
  await search.fill('::f')
  await search.press('Enter')
  await expect(page.getByText('IP : ::f')).toBeVisible()
  await search.fill('IP: 100::f')
  await search.press('Enter')
  await expect(page.getByText('IP : 100::f')).toBeVisible()
  await search.fill('IP = 2001:db8:100::f')
  await search.press('Enter')
  await expect(page).toHaveURL(/address=2001/)
  await expect(page.getByRole('grid').getByRole('rowheader')).toHaveCount(1)
  await page.goBack()
  const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  const csv = await page.request.get(href ?? '')
  expect(csv.headers()['content-type']).toContain('text/csv')
  const [head, ...rows] = (await csv.text()).trim().split('\r\n')
  expect(head).toMatch(/^id,ip,network/)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row).toContain('100::f')

  await search.fill('no such figures')
  await search.press('Enter')
  await page.getByRole('button', { name: 'Clear filter' }).last().click()
  await expect(page.getByText(/2,9\d\d/).first()).toBeVisible()
})

test('IPs are added: the lowest, a given one, a range; each refusal stands at its field', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 409/)
  const { path } = await newNetwork(api, { name: 'Adding', cidr: '198.18.20.0/28', ips: 2 })
  await signIn(page)
  await page.goto(path)
  const open = () => page.getByRole('button', { name: 'Add IPs' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add IPs to Adding' })
  const submit = () => dialog.getByRole('button', { name: /^Add (IP|range)$/ }).click()

  await open()
  await expectAccessible(page)
  await submit()
  await expect(page.getByText('198.18.20.3 was added to Adding.', { exact: true })).toBeVisible()

  await open()
  await dialog.getByRole('radio', { name: 'A specific IP' }).check()
  await submit()
  await expect(dialog.getByText('Enter an address.')).toBeVisible()
  const address = dialog.getByRole('textbox', { name: 'Address' })
  await address.fill('198.18.21.1')
  await expect(dialog.getByText('This address is outside 198.18.20.0/28.')).toBeVisible()
  await address.fill('198.18.20.2')
  await submit()
  await expect(dialog.getByText('NAT-IP-10')).toBeVisible()
  await expect(address).toHaveValue('198.18.20.2')
  await dialog.getByRole('radio', { name: 'A range' }).check()
  await address.fill('')
  const count = dialog.getByRole('textbox', { name: 'How many' })
  await count.fill('70000')
  await submit()
  await expect(dialog.getByText('Enter a number from 1 to 11.')).toBeVisible()
  await address.fill('198.18.20.10')
  await count.fill('11')
  await submit()
  await expect(dialog.getByText('Only 5 of the 11 addresses are free')).toBeVisible()
  await address.fill('')
  await count.fill('5')
  await submit()
  await expect(
    page.getByText('5 IPs were added to Adding: 198.18.20.4 to 198.18.20.8.', { exact: true }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Show them' }).click()
  await expect(page.locator('mark')).toHaveText('198.18.20.4')
})

test('IPs are changed one by one and together; each refusal is reported', async ({ page, api, faults }) => {
  faults.allow(/status of 409/)
  const { id, path } = await newNetwork(api, { name: 'Changing', cidr: '198.18.30.0/24', ips: 6 })
  const attached = await attach(api, id, '198.18.30.1')
  await signIn(page)
  await page.goto(path)
  const row = (ip: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: ip, exact: true }) })
  const choose = async (ip: string, action: string) => {
    await row(ip)
      .getByRole('button', { name: `Actions for ${ip}` })
      .click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('198.18.30.2', 'Make unavailable')
  await expect(
    page.getByText('198.18.30.2 is unavailable: nobody can attach it.', { exact: true }),
  ).toBeVisible()
  await expect(row('198.18.30.2')).toContainText('Unavailable')
  await choose('198.18.30.2', 'Put in quarantine')
  await expect(row('198.18.30.2')).toContainText('Quarantined')
  await choose('198.18.30.3', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('198.18.30.3 is deleted.', { exact: true })).toBeVisible()
  await expect(row('198.18.30.3')).toHaveCount(0)

  for (const ip of ['198.18.30.1', '198.18.30.4', '198.18.30.5'])
    await page.getByRole('checkbox', { name: `Select ${ip}` }).check()
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Actions', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Go on|Delete/ })
    .click()
  await expect(page.getByText('NAT-IP-12')).toBeVisible()
  await expect(page.getByText(/1 row was refused, 2 succeeded/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(row('198.18.30.4')).toHaveCount(0)
  await expect(row('198.18.30.1')).toContainText('Attached')

  // Its details say who holds it. Once it is deleted, the list says who held it.
  await page.getByRole('link', { name: '198.18.30.1', exact: true }).click()
  const held = page.getByRole('list', { name: 'Who held 198.18.30.1' })
  await expect(held).toContainText('Holds it now')
  await expect(held).toContainText(/Since .* · attached by admin · network Changing/)
  await drop(api, attached)
  await page.goto('/datacenters/3/natips')
  await page.getByRole('button', { name: 'Who held it' }).click()
  await expect(page.getByText('Enter an address.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Go to address' }).fill('198.18.30.1')
  await page.getByRole('button', { name: 'Who held it' }).click()
  await expect(held).toContainText(/ to .* · attached by admin · network Changing/)
  await expect(held).not.toContainText('Holds it now')
  await expectAccessible(page)
  await page.goto('/datacenters/3/natips?history=198.18.30.200')
  await expect(page.getByText(/that you can see has held 198\.18\.30\.200/)).toBeVisible()

  // An IP with rules stays available.
  await page.goto('/datacenters/1/natips?at=203.0.113.1')
  await page.getByRole('button', { name: 'Actions for 203.0.113.1', exact: true }).click()
  const makeUnavailable = page.getByRole('menuitem', { name: 'Make unavailable' })
  await expect(makeUnavailable).toBeDisabled()
  await expect(makeUnavailable).toContainText('Delete its rules first.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Actions for 203.0.113.1', exact: true })).toBeFocused()
})

test('the details of an IP stand in the address, and lead to exactly its rules', async ({ page }) => {
  await signIn(page)
  await page.goto('/datacenters/1/natips?at=203.0.113.1')
  await page.getByRole('link', { name: '203.0.113.1', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '203.0.113.1' })
  await expect(dialog.getByRole('link', { name: 'Madrid public' })).toBeVisible()
  await page.reload()
  await expect(dialog.getByRole('link', { name: 'Madrid public' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('link', { name: /Show all \d+ rules/ }).click()
  await expect(page.getByText('Only the rules of 203.0.113.1.')).toBeVisible()
  await expect(page.getByText('17 rows', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show all rules of the network' }).click()
  await expect(page.getByText(/^\d{3} rows$/)).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Only the rules of 203.0.113.1.')).toBeVisible()
})

test('a NAT network is created, refused where it overlaps, and deleted', { tag: always }, async ({
  page,
  faults,
}) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/nat/networks')
  await page.getByRole('link', { name: 'Create network' }).click()
  await page.getByRole('button', { name: 'Create network' }).click()
  await expect(page.getByText('Choose a datacenter.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Datacenter/ }).click()
  await page.getByRole('option', { name: 'Singapore' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Singapore spare')
  const cidr = page.getByRole('textbox', { name: 'CIDR' })
  await cidr.fill('192.0.2/28')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await expect(page.getByText('“192.0.2” is not an IPv4 or IPv6 address.')).toBeVisible()
  await cidr.fill('192.0.2.9/28')
  await page.getByRole('button', { name: 'Use 192.0.2.0/28' }).click()
  await expect(cidr).toHaveValue('192.0.2.0/28')
  await expect(page.getByText('16 addresses; 14 assignable, from 192.0.2.1 to 192.0.2.14')).toBeVisible()
  await page.getByRole('button', { name: 'Create network' }).click()
  await expect(page.getByText('Choose a device.')).toBeVisible()
  await page.getByRole('button', { name: /Device/ }).click()
  await page.getByRole('option', { name: /Singapore edge router/ }).click()
  await expect(page.getByText(/It overlaps Singapore .*on the same device/)).toBeVisible()
  await page.getByRole('button', { name: 'Create network' }).click()
  await expect(page.getByText('NAT-NET-6')).toBeVisible()
  await cidr.fill('198.18.99.0/28')
  await expect(page.getByText(/overlaps/)).toBeHidden()

  // Nothing that was typed is lost without a question.
  await page.getByRole('link', { name: 'NAT networks' }).last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Create network' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Singapore spare' })).toBeVisible()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The NAT network Singapore spare is deleted.', { exact: true })).toBeVisible()
})

test('a rule is made at a virtual machine, refused at its field, and deleted', { tag: always }, async ({
  page,
  faults,
}) => {
  faults.allow(/status of 409/)
  await signIn(page)
  await page.goto('/nat/rules?snat=false')
  await expect(page.getByText('Type = DNAT')).toBeVisible()
  await page.getByRole('button', { name: 'Create rule' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create NAT rule' })
  const pick = async (label: string, text: string, option: string | RegExp) => {
    await dialog.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    if (text)
      await page
        .getByPlaceholder(/^Find /)
        .filter({ visible: true })
        .last()
        .fill(text)
    await page.getByRole('option', { name: option }).first().click()
  }
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await expect(dialog.getByText('Choose a datacenter.')).toBeVisible()
  await pick('Datacenter', '', 'Madrid')
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await expect(dialog.getByText('Choose a virtual machine.')).toBeVisible()
  await expectAccessible(page)
  await pick('Virtual datacenter', 'cobalt', /Cobalt Pharma staging/)
  await pick('Virtual appliance', '', /./)
  await pick('Virtual machine', 'web-1', 'web-1')
  await pick('NAT IP', '100.64.0.1', /^100\.64\.0\.1\b(?!\d)/)
  await dialog.getByRole('button', { name: 'Private IP of the machine' }).click()
  await page.getByRole('option').first().click()

  const original = dialog.getByRole('textbox', { name: 'Port of the NAT IP' })
  const translated = dialog.getByRole('textbox', { name: 'Port of the machine' })
  await original.fill('443')
  await expect(dialog.getByText('Enter both ports, or none.')).toBeVisible()
  await translated.fill('8443')
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await expect(dialog.getByText('NAT-RULE-3')).toBeVisible()
  await dialog.getByRole('radio', { name: 'SNAT' }).check()
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await expect(dialog.getByText('NAT-RULE-14')).toBeVisible()
  await dialog.getByRole('radio', { name: 'DNAT' }).check()
  await original.fill('4443')
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await expect(page.getByText(/^The DNAT rule 100\.64\.0\.1:4443 to .*:8443 is created\./)).toBeVisible()

  await page.getByRole('button', { name: /DNAT rule 100\.64\.0\.1:4443 to / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(/^The DNAT rule 100\.64\.0\.1:4443 .* is deleted\./)).toBeVisible()
})

test('rules are found by tokens, and no match can be cleared', async ({ page }) => {
  await signIn(page)
  await page.goto('/datacenters/1/natrules?protocol=UDP')
  await expect(page.getByText('Protocol = UDP')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('UDP')
  const search = page.getByRole('combobox', { name: 'Find by address, protocol or machine' })
  await search.fill('Virtual machine = web')
  await page.getByRole('option', { name: /web-/ }).first().click()
  await expect(page.getByText(/^Virtual machine = web-/)).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('web-')
  await search.fill('nothing like this')
  await search.press('Enter')
  await page.getByRole('button', { name: 'Clear filter' }).last().click()
  await expect(page.getByRole('row').nth(1)).toContainText('100.64.0.1')
})

test('without the privilege to see IPs the page says so and links to what is visible', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 40[34]/)
  const { nick } = await newUser(api)
  await signIn(page, nick, chosenPassword)
  await page.goto('/datacenters/1/natips')
  await expect(page.getByText('PHYS_DC_RETRIEVE_DETAILS').first()).toBeVisible()
  await page.goto('/datacenters/1/natnetworks/1')
  await expect(page.getByRole('heading', { level: 1, name: 'Madrid public' })).toBeVisible()
  await expect(page.getByText('IPs and rules are not shown')).toBeVisible()
  await expect(page.getByText('PHYS_DC_RETRIEVE_DETAILS').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await page.goto('/datacenters/1/natnetworks')
  await expect(page.getByRole('link', { name: 'Madrid public', exact: true })).toBeVisible()
})

test('a network operator is not shown what lacks the privilege, and cannot create rules', async ({
  page,
}) => {
  await signIn(page, 'daniel.lopez.50')
  await page.goto('/scopes')
  await expect(page.getByText(/USERS_VIEW_PRIVILEGES|USERS_MANAGE_SCOPES/).first()).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Scopes' })).toHaveCount(0)
  await page.goto('/datacenters/1/natrules')
  await expect(page.getByRole('button', { name: 'Create rule' }).first()).toBeDisabled()
  await page.getByRole('button', { name: 'Why?' }).first().click()
  const why = page.getByRole('dialog', { name: 'Why is this not possible?' })
  await expect(why).toContainText(/does not have the privilege/)
  await expect(why.getByRole('list')).toContainText('VAPP_CUSTOMISE_SETTINGS')
  await why.getByRole('button', { name: 'Close', exact: true }).last().click()
})

test('two submits in the same task make one thing, in a dialog and on a page', async ({ page, api }) => {
  const submitTwice = (form: string) =>
    page.locator(form).evaluate((element) => {
      if (!(element instanceof HTMLFormElement)) throw new Error('not a form')
      element.requestSubmit()
      element.requestSubmit()
    })
  const { path } = await newNetwork(api, { name: 'Sent twice', cidr: '198.18.78.0/24', ips: 0 })
  await signIn(page)
  await page.goto(path)
  await page.getByRole('button', { name: 'Add IPs' }).first().click()
  await page.getByRole('radio', { name: 'A range' }).check()
  await page.getByRole('textbox', { name: 'How many' }).fill('50')
  await submitTwice('[role=dialog] form')
  await expect(page.getByText(/^50 IPs were added/)).toBeVisible()
  await expect(page.getByText('50 rows', { exact: true })).toBeVisible()

  const name = `Sent twice ${crypto.randomUUID()}`
  await page.goto('/scopes/new')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await submitTwice('main form')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  // A second scope of this name would have been refused, and the refusal shown.
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
})

test('each state is counted and one click away; a word finds it, and both states of an IP are shown', async ({
  page,
  api,
}) => {
  const { id, path } = await newNetwork(api, { name: 'States', cidr: '198.18.79.0/24', ips: 4 })
  await attach(api, id, '198.18.79.1')
  await signIn(page)
  await page.goto(path)
  const chip = (name: RegExp) => page.getByRole('group', { name: 'State' }).getByRole('button', { name })
  const choose = async (ip: string) => {
    await page.getByRole('button', { name: `Actions for ${ip}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Put in quarantine' }).click()
  }
  await expect(chip(/^Free 3$/)).toBeVisible()
  await choose('198.18.79.1')
  await expect(chip(/^Quarantined 1$/)).toBeVisible()
  await expect(chip(/^Attached 1$/)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '198.18.79.1' })).toContainText('AttachedQuarantined')
  await choose('198.18.79.2')
  await chip(/^Quarantined 2$/).click()
  await expect(page).toHaveURL(/ips\.state=quarantine/)
  await expect(page.getByRole('grid').getByRole('rowheader')).toHaveCount(2)
  await expectAccessible(page)
  await chip(/^Quarantined 2$/).click()
  await page.getByRole('combobox', { name: 'Find by IP or by a property' }).fill('free')
  await page.getByRole('combobox', { name: 'Find by IP or by a property' }).press('Enter')
  await expect(chip(/^Free 2$/)).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('grid').getByRole('rowheader')).toHaveText(['198.18.79.3', '198.18.79.4'])
})
