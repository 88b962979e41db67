import type { Page, Request } from 'playwright/test'
import { z } from 'zod'
import { hasPast, screens } from '#components/base/screens/screens'
import { swept } from '#lib/tools/testing/search'
import { always, expect, expectAccessibleAtAnyWidth, signIn, test } from './fixtures'
import { expectLoaded } from './looks'
import { newNetwork, singapore } from './nat-networks'

/* A screen that shows the past shows nothing of now. */

const ids: Record<string, string> = { ':enterprise': '2', ':user': '2', ':scope': '2', ':role': '2', '*': '' }

const addressOf = (screen: string): string =>
  screen
    .split('/')
    .map((part) => (part.startsWith(':') || part === '*' ? (ids[part] ?? '1') : part))
    .join('/')

/** Requests that are not data of the cloud. */
const isAside = ({ pathname }: URL): boolean =>
  /^\/api\/session(\/preferences)?$/.test(pathname) || !pathname.startsWith('/api/')

/** Whether a request shows nothing but the past. */
function isPast(request: Request, moment: string): boolean {
  const url = new URL(request.url())
  if (isAside(url)) return true
  if (request.method() !== 'GET') return false
  if (url.searchParams.get('asof') === moment) return true
  if (/^\/api\/events\/\d+(\/(before|after|rows))?$/.test(url.pathname)) return true
  if (url.pathname !== '/api/events') return false
  const to = url.searchParams.get('to')
  // The step to the next event is no data of the screen.
  const isStep = url.searchParams.get('limit') === '1' && url.searchParams.has('from')
  return isStep || (to !== null && Date.parse(to) <= Date.parse(moment))
}

/** Opens each tab, and the first row of its table. */
async function lookEverywhere(page: Page): Promise<void> {
  await expectLoaded(page)
  const tabs = page.getByRole('main').getByRole('tab')
  const count = await tabs.count()
  for (let index = 0; index < Math.max(count, 1); index += 1) {
    if (count > 0) await tabs.nth(index).click()
    await expectLoaded(page)
    const row = page.getByRole('main').locator('tbody tr[role=row][aria-rowindex="2"]').first()
    if ((await row.locator('a').count()) === 0) continue
    const before = page.url()
    await row.locator('td, th').last().click()
    await expect(page).not.toHaveURL(before)
    await expectLoaded(page)
    expect(new URL(page.url()).searchParams.has('asof'), page.url()).toBe(true)
    if (count > 0) await page.goBack()
  }
}

const addresses = Object.keys(screens).map(addressOf)
/** One of them runs in `npm test`, another one each day. */
const inTurns = swept(['/', '/nat/ips', '/datacenters/1/natnetworks/1'], 3)

/** The requests of the page that show something of now. */
function watch(page: Page, moment: string): string[] {
  const ofNow: string[] = []
  page.on('request', (request) => {
    if (!isPast(request, moment)) ofNow.push(`${request.method()} ${request.url()}`)
  })
  return ofNow
}

for (const address of addresses.filter(hasPast)) {
  const tag = inTurns.includes(address) ? always : []
  test(`${address} at a past moment asks for nothing of now`, { tag }, async ({ page }) => {
    const moment = new Date(Date.now() - 1000).toISOString()
    const ofNow = watch(page, moment)
    await signIn(page)
    await page.goto(`${address}?asof=${moment}`)
    await expect(page.getByRole('button', { name: 'Back to now' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await lookEverywhere(page)
    const changes = page
      .getByRole('main')
      .getByRole('button', { name: /^(Add|Create|Edit|Delete|Undo|Why\?)/ })
    await expect(changes).toHaveCount(0)
    await expect(page.getByText('There is no past of this. Go back')).toHaveCount(0)
    expect(ofNow).toEqual([])
  })
}

test('screens without a past say so, and ask for nothing', async ({ page }) => {
  const moment = new Date(Date.now() - 1000).toISOString()
  const ofNow = watch(page, moment)
  await signIn(page)
  for (const address of addresses.filter((each) => !hasPast(each))) {
    await page.goto(`${address}?asof=${moment}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no past of this screen')
  }
  expect(ofNow).toEqual([])
})

const made = z.object({ id: z.int() })
const link = (rel: string, path: string) => ({ rel, href: `/api/admin/${path}` })

test('the time bar steps from event to event, keeps the moment in links, and compares with now', async ({
  page,
  api,
}) => {
  const name = `Past ${crypto.randomUUID().slice(0, 8)}`
  const body = (now: string) => ({ name: now, links: [link('scopeParent', 'scopes/2')] })
  const { id } = await api.post('/api/admin/scopes', body(name), made)
  const first = new Date().toISOString()
  await api.put(`/api/admin/scopes/${id}`, { id, ...body(`${name} two`) }, made)
  await signIn(page)
  await page.goto(`/scopes/${id}?asof=${first}`)
  const bar = page.getByRole('region', { name: 'Moment' })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(name)
  await expectAccessibleAtAnyWidth(page)

  await bar.getByText('Compare with now').click()
  await expect(page).toHaveURL(/compare=now/)
  await expect(page.getByText('Changed since then')).toBeVisible()
  await expect(page.getByText(`${name} two`)).toBeVisible()

  await bar.getByRole('button', { name: 'Event after' }).click()
  await expect(heading).toHaveText(`${name} two`)
  await expect(bar.getByRole('button', { name: 'Event after' })).toBeFocused()
  await expect(page.getByText('Nothing has changed here since then')).toBeVisible()
  await bar.getByRole('button', { name: 'Event before' }).click()
  await expect(heading).toHaveText(name)

  await page.getByLabel('Breadcrumbs').getByRole('link', { name: 'Scopes' }).click()
  await expect(page).toHaveURL(/\/scopes\?.*asof=/)
  const roles = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Roles' })
  await expect(roles).toHaveAttribute('href', /asof=/)
  await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0)
  await bar.getByRole('button', { name: 'Back to now' }).click()
  await expect(page).not.toHaveURL(/asof|compare/)
  await expect(bar).toHaveCount(0)
})

test('a table compared with now says which rows changed or were removed', async ({ page, api, faults }) => {
  // The row that was removed.
  faults.allow(/404/)
  const mark = crypto.randomUUID().slice(0, 8)
  const named = (name: string) => ({ name: `${mark} ${name}`, links: [] })
  const [same, changed, removed] = [
    await api.post('/api/admin/enterprises', named('same'), made),
    await api.post('/api/admin/enterprises', named('before'), made),
    await api.post('/api/admin/enterprises', named('gone'), made),
  ]
  const moment = new Date().toISOString()
  await api.put(`/api/admin/enterprises/${changed.id}`, { id: changed.id, ...named('after') }, made)
  await api.remove(`/api/admin/enterprises/${removed.id}`)
  await signIn(page)
  await page.goto(`/enterprises?has=${mark}&asof=${moment}&compare=now`)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row(`${mark} before`)).toContainText(`${mark} after`)
  await expect(row(`${mark} before`)).toContainText('Changed since: Name')
  await expect(row(`${mark} gone`)).toContainText('Removed since')
  await expect(row(`${mark} same`)).not.toContainText('since')
  await expect(page.getByText('Then 3, now 2.')).toBeVisible()
  expect(same.id).toBeGreaterThan(0)
})

test('the tree of scopes compared with now marks what was renamed, moved, removed or came', async ({
  page,
  api,
  faults,
}) => {
  // The scope that was removed, and the one that was not yet there.
  faults.allow(/404/)
  const mark = crypto.randomUUID().slice(0, 8)
  const below = (parent: number, name: string) => ({
    name: `${mark} ${name}`,
    links: [link('scopeParent', `scopes/${parent}`)],
  })
  const { id: top } = await api.post('/api/admin/scopes', below(2, 'top'), made)
  const make = async (name: string) => (await api.post('/api/admin/scopes', below(top, name), made)).id
  const [renamed, moved, removed] = [await make('old name'), await make('moved'), await make('removed')]
  const moment = new Date().toISOString()
  const change = (id: number, body: object) => api.put(`/api/admin/scopes/${id}`, { id, ...body }, made)
  await change(renamed, below(top, 'new name'))
  await change(moved, below(2, 'moved'))
  await api.remove(`/api/admin/scopes/${removed}`)
  await make('came')
  await signIn(page)
  await page.goto(`/scopes/${top}?asof=${moment}&compare=now`)
  const row = (name: string) => page.getByRole('treegrid').getByRole('row', { name: `${mark} ${name}` })
  await expect(row('old name')).toContainText(`now: ${mark} new name`)
  await expect(row('moved')).toContainText('Moved since to')
  await expect(row('removed')).toContainText('Removed since')
  await expect(row('came')).toContainText('Added since')
  await expect(row('came').getByRole('link')).toHaveCount(0)
  await expect(page.getByText('4 differences from now are marked.')).toBeVisible()
  await expectAccessibleAtAnyWidth(page)

  await page.goto(`/scopes/map?root=${top}&asof=${moment}&compare=now`)
  for (const text of [`Now: ${mark} new name`, 'Moved since to', 'Removed since', 'Added since'])
    await expect(page.locator('svg text').filter({ hasText: text })).toBeVisible()
})

test('facts and the address map compared with now show both, and the steps follow the IPs of a network', async ({
  page,
  api,
}) => {
  const { id, path } = await newNetwork(api, { name: 'Past of a map', cidr: '198.18.92.0/28', ips: 3 })
  const base = `/api/admin/datacenters/${singapore}/natnetworks/${id}`
  const network = await api.get(base, z.looseObject({ name: z.string() }))
  const moment = new Date().toISOString()
  await api.put(base, { ...network, name: 'Past of a map two' }, made)
  await api.post(`${base}/ips`, { ip: '198.18.92.9' }, made)
  await signIn(page)
  await page.goto(`${path}?tab=map&asof=${moment}&compare=now`)
  await expect(page.getByText('1 difference from now is marked.')).toBeVisible()
  const cell = page.getByRole('button', { name: /^198\.18\.92\.9.*Now: 198\.18\.92\.9/ })
  await expect(cell).toBeVisible()
  await page.getByText('Table', { exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Now' })).toBeVisible()
  await page.getByRole('group').first().locator('summary').click()
  await expect(page.locator('dd').filter({ hasText: 'now: 4' }).first()).toBeVisible()

  const bar = page.getByRole('region', { name: 'Moment' })
  const moments: (string | null)[] = []
  for (const _ of ['renamed', 'added']) {
    await bar.getByRole('button', { name: 'Event after' }).click()
    await expect(page).not.toHaveURL(new RegExp(`asof=${encodeURIComponent(moments.at(-1) ?? moment)}`))
    moments.push(new URL(page.url()).searchParams.get('asof'))
  }
  await expect(page.getByText('Nothing has changed here since then')).toBeVisible()
})

test('a screen that cannot be compared with now says so', async ({ page }) => {
  await signIn(page)
  const moment = new Date(Date.now() - 1000).toISOString()
  await page.goto(`/?asof=${moment}`)
  const bar = page.getByRole('region', { name: 'Moment' })
  await expect(bar.getByText('This screen cannot be compared with now.')).toBeVisible()
  await page.goto(`/roles/2?tab=events&asof=${moment}&compare=now`)
  await expect(page.getByText('Events never change: there is nothing to compare.')).toBeVisible()
})

test('a moment that cannot be seen is refused in the bar, whose form stays', async ({ page, faults }) => {
  faults.allow(/400|410/)
  await signIn(page)
  const bar = page.getByRole('region', { name: 'Moment' })
  for (const [moment, fault] of [
    ['2001-01-01T00:00:00.000Z', /does not reach back/],
    [new Date(Date.now() + 3_600_000).toISOString(), 'Choose a moment that has passed.'],
    ['soon', /no readable moment/],
  ] as const) {
    await page.goto(`/roles?asof=${moment}`)
    await expect(bar.getByText(fault)).toBeVisible()
    await expect(bar.getByText('There is nothing to see')).toBeVisible()
    await expect(bar.getByRole('textbox', { name: 'Day' })).toBeVisible()
  }
  await bar.getByRole('button', { name: '1 hour ago' }).click()
  await expect(page).not.toHaveURL(/soon/)
})
