import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Locator } from 'playwright/test'
import { Lab, machines, obstacle } from '#lib/tools/testing/gateway/lab'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { codeOf } from '#lib/tools/testing/totp'
import { test } from './fixtures'
import { partsOf, reportBy } from './gateway'

/* The whole first run by the screen alone. Where this machine has network namespaces, a packet goes through the rule. */

const reason = obstacle()
if (reason !== undefined)
  process.stdout.write(`The gateway of the first run is played by the test: ${reason}\n`)

/** Makes each click of the mouse, and counts it. */
class Mouse {
  clicks = 0

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }
}

let server: OwnServer
let lab: Lab | undefined
const socket = join(tmpdir(), `first-run-${process.pid}.sock`)

test.beforeAll(async () => {
  server = await startServer({})
  lab = reason === undefined ? await Lab.make() : undefined
  const port = Number(new URL(server.url).port)
  await lab?.bridge(port, socket, port)
})
test.afterAll(async () => {
  await lab?.remove()
  rmSync(socket, { force: true })
  await server.stop()
})

/** Types the command of the screen on the machine. */
async function startGateway(command: string): Promise<void> {
  if (!lab) return reportBy(command, 1)
  const { token, api, id } = partsOf(command)
  const run = ['lib/tools/scripts/run.js', 'gateway', '--api', api, '--device', id, '--interval', '1']
  lab.start('gateway', [process.execPath, ...run], { env: { GATEWAY_TOKEN: token } })
}

/** A packet from outside arrives at the machine. */
async function callFromOutside(command: string): Promise<void> {
  if (!lab) return reportBy(command, 1, { counters: [{ rule: 1, packets: 1, bytes: 60 }] })
  const outside = lab
  const fetched = () => outside.get('client', { host: '203.0.113.1', port: 8000 })
  await expect.poll(fetched, { timeout: 60_000 }).toBe('one:8000 from 198.51.100.2')
}

test('at most 25 clicks from an empty installation to a packet through a rule, a scope, a colleague and two factor', async ({
  page,
}) => {
  const mouse = new Mouse()
  const press = (name: string, within: Locator = page.locator('body')) =>
    mouse.click(within.getByRole('button', { name, exact: true }).last())
  const type = (name: string | RegExp, text: string, within: Locator = page.locator('body')) =>
    within.getByRole('textbox', { name, exact: true }).fill(text)
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const steps = page.getByRole('list').filter({ hasText: 'Protect your own sign-in' })
  const expectDone = (count: number) => expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(count)

  await page.goto(server.url)
  await page.getByLabel('User name').fill(adminNick)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await press('Sign in')

  await press('Create datacenter', steps)
  await type('Name', 'Lisbon', dialog('Create datacenter'))
  await press('Create datacenter', dialog('Create datacenter'))
  await expectDone(1)

  await press('Create device', steps)
  await type('Name', 'edge-1', dialog('Create device'))
  await press('Create device', dialog('Create device'))
  await expectDone(2)

  await press('Create NAT network', steps)
  await type('Name', 'Public', dialog('Create NAT network'))
  await type(/CIDR/, '203.0.113.0/24', dialog('Create NAT network'))
  await press('Create network', dialog('Create NAT network'))
  await expectDone(3)

  await press('Add IPs', steps)
  await press('Add IP', dialog('Add IPs to Public'))
  await expectDone(4)

  await press('Start gateway', steps)
  const gateway = dialog('Start the gateway of edge-1')
  await press('Make the command', gateway)
  const command = await gateway.getByText(/^GATEWAY_TOKEN=/).innerText()
  await startGateway(command)
  await expect(gateway.getByText('The gateway reports.')).toBeVisible({ timeout: 60_000 })
  await press('Close', gateway)
  await expectDone(5)

  await press('Publish a port', steps)
  const publish = dialog('Publish a port')
  await press('Register a virtual machine', publish)
  const machine = dialog('Register virtual machine')
  await type('Name', 'one', machine)
  await machine.getByLabel('Private IP').fill(machines.one)
  await press('Register virtual machine', machine)
  await type(/^Port of the machine/, '8000', publish)
  await expect(publish.getByText(/^203\.0\.113\.1 is free\./)).toBeVisible()
  await press('Publish', publish)
  const published = dialog('one is published')
  await callFromOutside(command)
  await expect(published.getByText('Reached from outside: yes')).toBeVisible({ timeout: 60_000 })
  await page.keyboard.press('Escape')
  await expectDone(6)

  await press('Create scope', steps)
  await press('Create scope', dialog('Create scope'))
  await expectDone(7)

  await mouse.click(page.getByRole('link', { name: 'Invite user' }))
  await page.getByLabel('E-mail').fill('colleague@example.com')
  await press('Create user')
  await expect(page.getByText('colleague@example.com is invited.')).toBeVisible()
  await mouse.click(page.getByRole('link', { name: 'Home', exact: true }))
  await expectDone(8)

  await mouse.click(steps.getByRole('link', { name: 'Set up two factor' }))
  await press('Next')
  const key = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()
  await page.getByLabel('Verification code').fill(codeOf(key.replaceAll(' ', '')))
  await press('Turn on')
  await expect(page.getByText('Two factor authentication is on').first()).toBeVisible()

  process.stdout.write(`The first run took ${mouse.clicks} clicks\n`)
  expect(mouse.clicks).toBeLessThanOrEqual(25)
})
