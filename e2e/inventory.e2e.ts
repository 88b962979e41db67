import type { Page } from 'playwright/test'
import { z } from 'zod'
import { adminNick } from '#lib/tools/testing/settings'
import type { Api } from './api'
import { always, expect, expectAccessible, signIn, test } from './fixtures'

/* Virtual datacenters, machines and addresses; a port that is published; the question of an abuse ticket. */

const elena = 'elena.ruiz.13'

test('an end user publishes a port from the first screen, and undoes it', { tag: always }, async ({
  page,
}) => {
  await signIn(page, elena)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your virtual machines' })).toBeVisible()
  await page.getByRole('button', { name: 'Publish a port' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish a port' })
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog.getByText('Choose a virtual machine.')).toBeVisible()
  await expect(dialog.getByText('Enter a number from 1 to 65535.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Virtual machine' }).fill('web')
  await page.getByRole('option', { name: /web-1.*production/ }).click()
  await dialog.getByRole('button', { name: 'Private IP of the machine' }).click()
  await page.getByRole('option', { name: '10.0.0.10' }).click()
  await dialog.getByRole('textbox', { name: 'Port of the machine' }).fill('8447')
  await expect(dialog.getByText(/holds 203\.0\.113\.\d+ already/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  const made = page.getByRole('dialog', { name: 'web-1 is published' })
  const place = await made.locator('code').first().textContent()
  expect(place).toMatch(/^203\.0\.113\.\d+:8447$/)
  await expect(made.getByRole('button', { name: `Copy ${place}` })).toBeVisible()
  await expect(made.getByText(/^Reached from outside: /)).toBeVisible()
  await expectAccessible(page)
  await made.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${place} is no longer published.`)).toBeVisible()
})

test('an end user changes the notes of a NAT IP that their virtual datacenter holds', async ({ page }) => {
  await signIn(page, elena)
  await page.goto('/virtualdatacenters')
  await page.getByRole('link', { name: 'Albatros Airlines production' }).first().click()
  await page.getByRole('tab', { name: 'NAT IPs' }).click()
  const edit = page.getByRole('button', { name: /^Edit 203\.0\.113\.\d+$/ }).first()
  await edit.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Notes of 203\.0\.113\.\d+$/ })
  await dialog.getByRole('textbox', { name: /^Description/ }).fill('Held for the shop')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^The notes of 203\.0\.113\.\d+ are saved\./)).toBeVisible()
  await edit.press('Enter')
  await expect(dialog.getByRole('textbox', { name: /^Description/ })).toHaveValue('Held for the shop')
  await page.keyboard.press('Escape')
  await expect(edit).toBeFocused()
})

test('an abuse ticket is answered in three actions, and the answer is a link', async ({ page }) => {
  await signIn(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // One: the search. Two: the question as the ticket has it. Three: Enter.
  await page.keyboard.press('Control+k')
  const question = new Date(Date.now() - 60_000).toISOString()
  await page.getByRole('combobox', { name: /Search/ }).fill(`who held 203.0.113.1 at ${question}`)
  await expect(page.getByRole('option', { selected: true })).toContainText('Who held 203.0.113.1 on')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '203.0.113.1' })).toBeVisible()
  await expect(page).toHaveURL(/\/nat\/addresses\/203\.0\.113\.1\?at=/)
  const asked = page.locator('section').filter({ hasText: 'Who held 203.0.113.1?' })
  await expect(asked.getByRole('link', { name: /Albatros Airlines production/ })).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(asked.getByRole('link', { name: /Albatros Airlines production/ })).toBeVisible()
  await page.getByRole('button', { name: 'What happens to a packet' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'To', exact: true })).toHaveValue(
    '203.0.113.1',
  )
})

test('a machine shows what leads to it and what it uses; its names are links', async ({ page }) => {
  await signIn(page)
  await page.goto('/virtualmachines?has=web')
  await page.getByRole('link', { name: 'web-1' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible()
  await expect(page.getByText('203.0.113.1:443').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Uses' }).click()
  await page.getByRole('link', { name: '203.0.113.1', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '203.0.113.1' })).toBeVisible()
  await page.getByRole('link', { name: 'Albatros Airlines production' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Albatros Airlines production' })).toBeVisible()
  await page.getByRole('tab', { name: 'NAT IPs' }).click()
  await expect(page.getByRole('link', { name: '203.0.113.1', exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Virtual appliances' }).click()
  await page.getByRole('link', { name: 'Shop' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible()
})

/** A name of each kind on each screen that shows it leads to its screen. */
for (const { screen, name, to } of [
  { screen: '/nat/ips?within=203.0.113.0/28', name: 'Albatros Airlines', to: /\/enterprises\/\d+$/ },
  { screen: '/nat/ips?within=203.0.113.0/28', name: 'Madrid public', to: /\/natnetworks\/\d+$/ },
  { screen: '/nat/ips', name: 'Madrid', to: /\/datacenters\/\d+$/ },
  { screen: '/nat/rules', name: 'web-1', to: /\/virtualmachines\/\d+$/ },
  { screen: '/datacenters/1/natnetworks', name: 'Madrid logical gateway', to: /\/devices\/\d+$/ },
  { screen: '/virtualdatacenters', name: 'Albatros Airlines production', to: /\/virtualdatacenters\/\d+$/ },
  { screen: '/virtualdatacenters', name: 'Albatros Airlines', to: /\/enterprises\/\d+$/ },
  { screen: '/virtualmachines', name: 'Shop', to: /\/virtualappliances\/\d+$/ },
  { screen: '/users', name: 'ENTERPRISE_ADMIN', to: /\/roles\/\d+$/ },
])
  test(`${name} is a link on ${screen}`, async ({ page }) => {
    await signIn(page)
    await page.goto(screen)
    await page.getByRole('link', { name, exact: true }).first().click()
    await expect(page).toHaveURL(to)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  })

const made = z.looseObject({ id: z.int(), links: z.array(z.object({ rel: z.string(), href: z.string() })) })
const listed = z.object({ collection: z.array(made), totalSize: z.int() })
const centers = '/api/cloud/virtualdatacenters'

/** A machine in a datacenter of its own, with one free NAT IP that its virtual datacenter does not hold yet. */
async function newPlace(api: Api, name: string, cidr: string) {
  const link = (rel: string, path: string) => ({ rel, href: api.at(path).href })
  const datacenter = await api.post('/api/admin/datacenters', { name, location: 'Test' }, made)
  const location = `/api/cloud/locations/${datacenter.id}`
  const types = await api.get('/api/config/devicetypes?limit=0', listed)
  const type = types.collection.find(({ nat }) => nat === true)
  const links = [link('devicetype', `/api/config/devicetypes/${type?.id}`)]
  const device = await api.post(`${location}/devices`, { name, links }, made)
  const networks = `/api/admin/datacenters/${datacenter.id}/natnetworks`
  const at = link('device', `${location}/devices/${device.id}`)
  const network = await api.post(networks, { name, cidr, links: [at] }, made)
  await api.post(`${networks}/${network.id}/ips`, { numips: 1 }, listed.partial({ totalSize: true }))
  const places = [link('enterprise', '/api/admin/enterprises/1'), link('location', location), at]
  const center = await api.post(centers, { name, links: places }, made)
  const below = `${centers}/${center.id}`
  const appliance = await api.post(`${below}/virtualappliances`, { name: `${name} appliance` }, made)
  const [ip, spare] = [
    await api.post(`${below}/privateips`, { ip: '10.7.0.5' }, made),
    await api.post(`${below}/privateips`, { ip: '10.7.0.6' }, made),
  ]
  const machines = `${below}/virtualappliances/${appliance.id}/virtualmachines`
  const nic = link('nic0', `${below}/privateips/${ip.id}`)
  const machine = await api.post(machines, { name: `${name} machine`, links: [nic] }, made)
  const remove = async () => {
    await api.remove(`${machines}/${machine.id}`)
    for (const { id } of [ip, spare]) await api.remove(`${below}/privateips/${id}`)
    await api.remove(`${below}/virtualappliances/${appliance.id}`)
    await api.remove(below)
    const { collection } = await api.get(`${networks}/${network.id}/ips?all=true`, listed)
    for (const { id } of collection) await api.remove(`${networks}/${network.id}/ips/${id}`)
    await api.remove(`${networks}/${network.id}`)
    await api.remove(`${location}/devices/${device.id}`)
    await api.remove(`/api/admin/datacenters/${datacenter.id}`)
  }
  const screen = `/virtualdatacenters/${center.id}/virtualappliances/${appliance.id}/virtualmachines/${machine.id}`
  return { center: below, screen, remove }
}

async function publish(page: Page, port: string) {
  await page.getByRole('button', { name: 'Publish a port' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish a port' })
  await dialog.getByRole('textbox', { name: 'Port of the machine' }).fill(port)
  return dialog
}

test('publishing attaches a free address, releases it after a refusal, and with the undo', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 409/)
  const { center, screen, remove } = await newPlace(api, 'Attach on the way', '198.18.90.0/29')
  const held = async () => (await api.get(`${center}/natips`, listed)).totalSize
  await signIn(page)
  await page.goto(screen)
  const rules = /\/virtualmachines\/\d+\/natrules$/
  await page.route(rules, (route) =>
    route.fulfill({
      status: 409,
      json: { links: [], collection: [{ code: 'NAT-RULE-3', message: 'Another rule has this port' }] },
    }),
  )
  const dialog = await publish(page, '443')
  await expect(
    dialog.getByText('198.18.90.1 is free. It will be attached to Attach on the way.'),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog.getByText('198.18.90.1 is attached, but the rule was refused')).toBeVisible()
  await expectAccessible(page)
  expect(await held()).toBe(1)
  await dialog.getByRole('button', { name: 'Release 198.18.90.1' }).click()
  await expect(page.getByText('198.18.90.1 is released.')).toBeVisible()
  expect(await held()).toBe(0)

  await page.unroute(rules)
  await expect(
    dialog.getByText('198.18.90.1 is free. It will be attached to Attach on the way.'),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  const done = page.getByRole('dialog', { name: 'Attach on the way machine is published' })
  await expect(done.getByText('198.18.90.1 was attached for this.')).toBeVisible()
  expect(await held()).toBe(1)
  await done.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('198.18.90.1:443 is no longer published.')).toBeVisible()
  expect(await held()).toBe(0)
  await remove()
})

test('the form of a machine has its owner, its template and its private IPs; lists have CSV and the filter changed', async ({
  page,
  api,
}) => {
  const { center, screen, remove } = await newPlace(api, 'Whole form', '198.18.91.0/29')
  await signIn(page)
  await page.goto(screen)
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit virtual machine' })
  // A machine belongs to the user who has registered it.
  await expect(form.getByRole('combobox', { name: 'Owner' })).toHaveValue(adminNick)
  await form.getByRole('combobox', { name: 'Private IPs' }).fill('10.7')
  await page.getByRole('option', { name: '10.7.0.6' }).click()
  await page.keyboard.press('Tab')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The virtual machine Whole form machine is saved.')).toBeVisible()
  await expect(page.getByText('10.7.0.5, 10.7.0.6').first()).toBeVisible()
  const [machine] = (await api.get('/api/cloud/virtualmachines?has=Whole%20form', listed)).collection
  expect(machine?.links.map(({ rel }) => rel)).toEqual(expect.arrayContaining(['user', 'nic0', 'nic1']))

  await page.goto('/virtualmachines?has=Whole%20form&changed=%3C1h')
  await expect(page.getByRole('link', { name: 'Whole form machine' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveAttribute(
    'href',
    /\/api\/cloud\/virtualmachines\?.*changed=.*format=csv/,
  )
  await page.goto('/virtualdatacenters?changed=%3E30d&has=Whole')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Search/ }).fill('Whole form appliance')
  await expect(page.getByRole('option', { name: /Whole form appliance/ })).toBeVisible()
  expect(center).toContain(centers)
  await remove()
})
