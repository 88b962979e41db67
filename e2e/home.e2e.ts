import { z } from 'zod'
import { expect, expectAccessible, signIn, test } from './fixtures'
import { newAdministrator, newUser } from './people'

test('home shows what needs the user, the networks, the use of the datacenters and the last changes', async ({
  page,
  api,
}) => {
  const asked: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^\/api\/(admin\/|events$|ends$)/.test(url.pathname)) asked.push(url)
  })
  const { nick, password } = await newAdministrator(api)
  await signIn(page, nick, password)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good (morning|afternoon|evening), /)
  await expect(page.getByRole('list', { name: 'Use of the NAT IPs of each datacenter' })).toBeVisible()
  const fullest = page.getByRole('listitem').filter({ hasText: /Nearly full, \d+ IPs? left/ })
  await expect(fullest).toHaveCount(1)
  const needs = page.getByRole('region').or(page.locator('section')).filter({ hasText: 'What needs you' })
  await expect(needs.getByRole('link', { name: /^\d+ (error|warning)s?$/ }).first()).toBeVisible()
  const cells = page.getByRole('list', { name: 'NAT networks by use, the fullest first' }).getByRole('link')
  await cells.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(cells.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(cells.last()).toBeFocused()
  await expect(cells.last()).toHaveAccessibleName(/^.+, .+: \d+% in use, [\d,]+ IPs?$/)
  await expect(page.getByText(/signed in\./)).toHaveCount(0)
  for (const { pathname, searchParams } of asked)
    expect(Number(searchParams.get('limit')), pathname).toBeLessThanOrEqual(500)
  // The changes are read again and again.
  expect([...new Set(asked.map(({ pathname }) => pathname))].sort()).toEqual([
    expect.stringMatching(/^\/api\/admin\/enterprises\/1\/users\/\d+\/tokens$/),
    '/api/admin/natnetworks',
    '/api/admin/natnetworks/action/checkcounts',
    '/api/admin/natnetworks/action/use',
    '/api/ends',
    '/api/events',
  ])

  await expect(page.getByRole('heading', { level: 2, name: 'What changed this week' })).toBeVisible()
  const person = page
    .getByRole('listitem')
    .filter({ hasText: /\d+ changes?$/ })
    .first()
  await expect(person).toHaveText(/ (created|changed|deleted|attached|released|made) \d/)
  await person.getByRole('link').click()
  await expect(page).toHaveURL(/\/events\?user=\d+&last=P7D/)
  await page.goBack()

  await page.getByText('Table', { exact: true }).click()
  await expect(page).toHaveURL(/use=table/)
  const madrid = page.getByRole('row').filter({ hasText: 'Madrid' })
  await expect(page.getByRole('row').filter({ hasText: 'Frankfurt' })).toContainText('2,411')
  await page.reload()
  await expect(madrid).toBeVisible()
  await expectAccessible(page)
  await madrid.getByRole('link', { name: 'Madrid' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Madrid' })).toBeVisible()
  await page.goBack()

  await fullest.getByRole('link').click()
  await expect(page).toHaveURL(/\/datacenters\/\d+\/natnetworks\/\d+/)
  await page.goBack()
  await page
    .getByRole('link')
    .filter({ has: page.locator('time') })
    .first()
    .click()
  await expect(page.getByRole('complementary', { name: /^Event \d+$/ })).toBeVisible()
})

const ending = z.looseObject({
  id: z.int(),
  links: z.array(z.object({ rel: z.string(), href: z.string(), title: z.string().optional() })),
})

test('home shows what ends soon, the next first, with links to it and to the lists', async ({
  page,
  api,
}) => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const [rule, ...others] = (
    await api.get(
      '/api/admin/natnetworks/action/allrules?limit=5&snat=false',
      z.object({ collection: z.array(ending) }),
    )
  ).collection
  const setEnd = async (document: z.infer<typeof ending> | undefined, ends: string) => {
    const href = document?.links.find(({ rel }) => rel === 'self' || rel === 'edit')?.href ?? ''
    await api.put(new URL(href).pathname, { ...document, ends }, ending)
  }
  const { nick } = await newUser(api)
  const users = await api.get(
    `/api/admin/enterprises/_/users?has=${nick}`,
    z.object({ collection: z.array(ending) }),
  )
  await setEnd(rule, inHours(1))
  await setEnd(users.collection[0], inHours(2))
  for (const [index, other] of others.entries()) await setEnd(other, inHours(3 + index))
  const { nick: own, password } = await newAdministrator(api)
  await signIn(page, own, password)
  await page.goto('/')
  const lines = page.getByRole('listitem').filter({ hasText: /Ends in \d+ / })
  await expect(lines.first()).toContainText(/→.*Ends in (1 hour|\d+ minutes)/)
  await expect(lines.nth(1)).toContainText(nick)
  await expect(lines.nth(1).getByRole('link', { name: nick })).toBeVisible()
  const more = page.getByRole('listitem').filter({ hasText: /^\d+ more ends? within two weeks/ })
  await more.getByRole('link', { name: 'NAT rules' }).click()
  await expect(page).toHaveURL(/\/nat\/rules\?endsbefore=/)
  await expect(page.getByRole('row').filter({ has: page.getByRole('rowheader') })).toHaveCount(5)
  for (const each of [rule, ...others]) await setEnd(each, '')
})

test('each card of home shows its own failure, and an empty installation the first steps', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 500/)
  const isBroken = { yes: true }
  const failing = { links: [], collection: [{ code: 'GEN-15', message: 'An internal error happened' }] }
  for (const path of ['**/api/admin/natnetworks?*', '**/api/events?*'])
    await page.route(path, (route) =>
      isBroken.yes
        ? route.fulfill({ status: 500, json: failing, headers: { 'X-Request-Id': 'r-42' } })
        : route.continue(),
    )
  const { nick, password } = await newAdministrator(api)
  await signIn(page, nick, password)
  await page.goto('/')
  await expect(page.getByText('r-42')).toHaveCount(4)
  await expect(page.getByText('GEN-15')).toHaveCount(4)
  await expect(page.getByRole('list', { name: /Use of the NAT IPs/ })).toBeVisible()
  isBroken.yes = false
  for (let left = 4; left > 0; left -= 1) {
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(page.getByText('r-42')).toHaveCount(left - 1)
  }
  await expect(page.getByText(/Nearly full, \d+ IPs? left/).first()).toBeVisible()

  await page.route('**/api/admin/natnetworks?*', async (route) => {
    const response = await route.fetch()
    const list = await response.json()
    for (const network of list.collection) network.usedIps = Math.floor(network.assignable * 0.79)
    await route.fulfill({ response, json: list })
  })
  await page.reload()
  await expect(page.getByText('All is well: no network has 80% or more of its IPs in use.')).toBeVisible()
  await page.unroute('**/api/admin/natnetworks?*')

  const week = '**/api/events/action/summary'
  await page.route(week, (route) =>
    route.fulfill({ json: { links: [], from: new Date().toISOString(), totalUsers: 0, users: [] } }),
  )
  await page.reload()
  await expect(page.getByText('Nothing changed in the last seven days.')).toBeVisible()
  await expect(page.getByText(/There were too many changes to read the whole week/)).toBeVisible()
  await page.unroute(week)

  await page.route('**/api/admin/natnetworks/action/use?*', (route) =>
    route.fulfill({ json: { links: [], collection: [], totalSize: 0 } }),
  )
  await page.reload()
  // The first visit has found the steps done, so they are asked for no more.
  const none = page.getByRole('heading', { level: 2, name: 'No datacenters yet' })
  const steps = page.getByRole('heading', { level: 2, name: 'First steps' })
  await expect(none).toBeVisible()
  await page.goto('/help')
  await page.getByRole('link', { name: 'Show the first steps' }).click()
  await expect(steps).toBeVisible()
  await expect(none).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create datacenter' }).click()
  await expect(page.getByRole('dialog', { name: 'Create datacenter' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^Hide the first steps/ }).click()
  await expect(none).toBeVisible()
  await page.reload()
  await expect(none).toBeVisible()
  await expect(steps).toHaveCount(0)
})

test('home shows a user the content of their role, and requests nothing else', async ({ page, api }) => {
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 2, name: 'Latest changes' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Your access' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Datacenters' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2, name: 'NAT networks' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Set up two factor' }).click()
  await expect(page).toHaveURL(/two-factor/)
})

test('the card of what needs the user keeps its height while the answers come; on a phone it shows all of them', async ({
  page,
  api,
}) => {
  const { nick, password } = await newAdministrator(api)
  await signIn(page, nick, password)
  const held = Promise.withResolvers<void>()
  await page.route('**/natnetworks/action/checkcounts?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/')
  const card = page.locator('section').filter({ hasText: 'What needs you' }).last()
  await expect(card.getByRole('status', { name: 'Looking for what needs you' })).toBeVisible()
  const before = await card.boundingBox()
  held.resolve()
  await expect(card.getByRole('link').first()).toBeVisible()
  expect((await card.boundingBox())?.height).toBe(before?.height)
  await page.setViewportSize({ width: 400, height: 860 })
  const isWhole = card
    .locator('div:has(> ul)')
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)
  expect(await isWhole).toBe(true)
})
