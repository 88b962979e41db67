import { expect, type Locator } from 'playwright/test'
import { z } from 'zod'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { apiAs } from './api'
import { always, expectAccessible, test } from './fixtures'
import { reportBy } from './gateway'

let server: OwnServer
test.beforeAll(async () => {
  server = await startServer({})
})
test.afterAll(() => server.stop())

test('an empty installation leads to its first NAT rule in at most 16 clicks, and the steps stay until they are done', {
  tag: always,
}, async ({ page }) => {
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const button = (name: string, within: Locator = page.locator('body')) =>
    within.getByRole('button', { name, exact: true })
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const steps = page.getByRole('list').filter({ hasText: 'Protect your own sign-in' })
  const done = steps.getByRole('img', { name: 'Done' })

  await page.goto(server.url)
  await page.getByLabel('User name').fill(adminNick)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await click(button('Sign in'))

  await click(button('Create datacenter'))
  await dialog('Create datacenter').getByRole('textbox', { name: 'Name', exact: true }).fill('Lisbon')
  await click(button('Create datacenter', dialog('Create datacenter')))
  await expect(done).toHaveCount(1)
  // The cards below notice what the steps do.
  await expect(page.getByRole('heading', { name: 'Datacenters (1)' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: /created 1 datacenter/ })).toBeVisible()

  await click(button('Create device'))
  const device = dialog('Create device')
  await device.getByRole('textbox', { name: 'Name', exact: true }).fill('edge-1')
  await expect(device.getByRole('radio', { name: 'Carry NAT on a Linux machine' })).toBeChecked()
  await click(button('Create device', device))
  await expect(done).toHaveCount(2)

  await click(button('Create NAT network'))
  const network = dialog('Create NAT network')
  await network.getByRole('textbox', { name: 'Name', exact: true }).fill('Public')
  await network.getByRole('textbox', { name: /CIDR/ }).fill('203.0.113.0/24')
  await expect(network.getByRole('combobox', { name: 'Device' })).toHaveValue('edge-1')
  await expectAccessible(page)
  await click(button('Create network', network))
  await expect(done).toHaveCount(3)

  await click(button('Add IPs'))
  await click(button('Add IP', dialog('Add IPs to Public')))
  await expect(done).toHaveCount(4)

  await click(button('Start gateway'))
  const gateway = dialog('Start the gateway of edge-1')
  await click(button('Make the command', gateway))
  await expect(gateway.getByText('Waiting for the first report')).toBeVisible()
  await expectAccessible(page)
  const command = await gateway.getByText(/^GATEWAY_TOKEN=/).innerText()
  await reportBy(command, 1)
  await expect(gateway.getByText('The gateway reports.')).toBeVisible()
  await click(button('Close', gateway).last())
  await expect(done).toHaveCount(5)

  await click(button('Publish a port', steps))
  const publish = dialog('Publish a port')
  await click(button('Register a virtual machine', publish))
  const first = dialog('Register virtual machine')
  await first.getByRole('textbox', { name: 'Name', exact: true }).fill('shop-1')
  await first.getByLabel('Private IP').fill('10.0.0.10')
  await expectAccessible(page)
  await click(button('Register virtual machine', first))
  await expect(publish.getByRole('combobox', { name: 'Virtual machine' })).toHaveValue('shop-1')
  await publish.getByRole('textbox', { name: /^Port of the machine/ }).fill('443')
  await expect(publish.getByText(/^203\.0\.113\.1 is free\. It will be attached to /)).toBeVisible()
  await click(button('Publish', publish))
  const published = dialog('shop-1 is published')
  await expect(published.getByText('Reached from outside: not yet')).toBeVisible()
  await expect(published.getByText('nc -vz 203.0.113.1 443', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await reportBy(command, 1, { counters: [{ rule: 1, packets: 2, bytes: 120 }] })
  await expect(published.getByText('Reached from outside: yes')).toBeVisible()
  await expect(published.getByText('The gateway has counted 2 connections through this rule.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(done).toHaveCount(6)
  expect(clicks).toBeLessThanOrEqual(16)

  await button('Create scope').click()
  const scope = dialog('Create scope')
  const enterprise = await scope.getByRole('textbox', { name: 'Name', exact: true }).inputValue()
  await expect(scope.getByText(/can only get a scope that contains this enterprise/)).toBeVisible()
  await expectAccessible(page)
  await button('Create scope', scope).click()
  await expect(done).toHaveCount(7)

  // The colleague has the least role and scope at first.
  await page.getByRole('link', { name: 'Invite user' }).click()
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('ENTERPRISE_VIEWER')
  await expect(page.getByRole('combobox', { name: 'Scope' })).toHaveValue(enterprise)
  // Role and scope are created over the form.
  await page.getByRole('button', { name: /^More:/ }).click()
  await page.getByLabel('User name').fill('colleague')
  await button('Create a role').click()
  const role = dialog('Create role')
  await role.getByRole('textbox', { name: 'Name', exact: true }).fill('Operators')
  await role.getByRole('combobox', { name: 'Privileges of' }).click()
  await page.getByRole('option', { name: 'CLOUD_ADMIN' }).click()
  await button('Create role', role).click()
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('Operators')
  await button('Create a scope').click()
  await dialog('Create scope').getByRole('textbox', { name: 'Name', exact: true }).fill('Lisbon only')
  await button('Create scope', dialog('Create scope')).click()
  await expect(page.getByRole('combobox', { name: 'Scope' })).toHaveValue('Lisbon only')
  await expect(page.getByLabel('User name')).toHaveValue('colleague')

  await page.goto(server.url)
  await expect(done).toHaveCount(7)
  await page.getByRole('link', { name: 'Invite user' }).click()
  await page.getByLabel('E-mail').fill('colleague@example.com')
  await button('Create user').click()
  await expect(
    page.getByText('colleague@example.com is invited. Copy the link: it is shown once.'),
  ).toBeVisible()
  await page.goto(server.url)
  await expect(done).toHaveCount(8)

  // Each part of a rule is created over its form.
  await apiAs(server.url).post('/api/admin/datacenters/1/natnetworks/1/ips', { numips: 1 }, z.object({}))
  await page.goto(`${server.url}/datacenters/1/natrules`)
  await button('Create rule').first().click()
  const rule = dialog('Create NAT rule')

  await button('Create a virtual datacenter', rule).click()
  const center = dialog('Create virtual datacenter')
  await center.getByRole('textbox', { name: 'Name', exact: true }).fill('Web')
  await expectAccessible(page)
  await button('Create virtual datacenter', center).click()
  // The new resource is selected, and the focus returns to where the dialog was opened.
  await expect(rule.getByRole('combobox', { name: 'Virtual datacenter' })).toHaveValue('Web')
  await expect(button('Create a virtual datacenter', rule)).toBeFocused()
  await button('Create a virtual appliance', rule).click()
  await dialog('Create virtual appliance').getByRole('textbox', { name: 'Name', exact: true }).fill('Shop')
  await button('Create virtual appliance', dialog('Create virtual appliance')).click()
  await button('Register a virtual machine', rule).click()
  const machine = dialog('Register virtual machine')
  await machine.getByRole('textbox', { name: 'Name', exact: true }).fill('shop-2')
  await machine.getByLabel('Private IP').fill('10.0.0.11')
  await button('Register virtual machine', machine).click()
  await button('Attach a NAT IP', rule).click()
  await button('Attach', dialog('Attach a NAT IP')).click()
  await expectAccessible(page)
  await button('Create rule', rule).click()
  const made = dialog('The rule is created')
  await expect(made.getByRole('status').first()).toHaveText('Reached from outside: not yet')
  await expect(made.getByText(/^nc -vz 203\.0\.113\.2 /)).toBeVisible()
  await expectAccessible(page)
  await button('Close', made).last().click()
})
