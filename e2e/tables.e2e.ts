import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Locator, Page, Response } from 'playwright/test'
import { z } from 'zod'
import type { Api } from './api'
import { expect, expectAccessible, expectAccessibleAtAnyWidth, signIn, test } from './fixtures'
import { expectLoaded } from './looks'
import { newAdministrator } from './people'

/* The features of every table of the console, tested with the NAT IPs. */

const ips = '/datacenters/1/natips'

const search = (page: Page): Locator => page.getByRole('combobox', { name: 'Find by IP or by a property' })

/** The first column of the rows that are shown. */
const addresses = (page: Page): Locator => page.getByRole('grid').getByRole('rowheader')

/** The scale at the right edge says which row is the first in view. */
const expectPosition = (page: Page, position: RegExp) =>
  expect(page.getByRole('scrollbar', { name: 'Position in IPs' })).toHaveAttribute('aria-valuetext', position)

const scrollTo = (page: Page, row: number) =>
  page.getByRole('grid').evaluate((grid, index) => {
    const height = grid.querySelector('tbody tr[aria-rowindex]')?.getBoundingClientRect().height ?? 0
    grid.parentElement?.scrollTo({ top: index * height })
  }, row - 1)

test('filters are words of one line, which the address keeps; an unknown name is reported', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(`${ips}?page=2`)
  await expectPosition(page, /^51 of [\d,]+ · 100\.64\.0\.51$/)
  await search(page).pressSequentially('netw')
  await page.getByRole('option', { name: 'network:' }).click()
  await search(page).pressSequentially('madrid p')
  await page.getByRole('option', { name: 'network:"Madrid public"' }).click()
  await expect(page).toHaveURL(/natips\?network=\d+$/)
  await expect(addresses(page).first()).toHaveText('203.0.113.1')
  await search(page).pressSequentially('State = Quarantined')
  await search(page).press('Enter')
  await expect(page).toHaveURL(/state=quarantine/)
  await expect(search(page)).toHaveValue('state:quarantined network:"Madrid public"')
  await search(page).pressSequentially(' 203.0')
  await search(page).press('Enter')
  await expect(page).toHaveURL(/ip=203\.0/)
  const all = '203.0 state:quarantined network:"Madrid public"'

  await page.reload()
  await expect(search(page)).toHaveValue(all)
  await expectAccessible(page)
  // After a reload the way back is a document of its own.
  await page.goBack()
  await expect(search(page)).toHaveValue('state:quarantined network:"Madrid public"')
  await expect(page).not.toHaveURL(/ip=/)

  await search(page).fill('state:quarantined network:nowhere')
  await search(page).press('Enter')
  await expect(page.getByText('There is no Network named nowhere. Choose one from the list.')).toBeVisible()
  await expect(search(page)).toHaveValue('state:quarantined network:nowhere')
  // It takes effect also without Enter, when the typing rests.
  await search(page).fill('nothing like this')
  await page.getByRole('button', { name: 'Clear filter', exact: true }).click()
  await expect(page).toHaveURL(ips)
  await expect(addresses(page).first()).toHaveText('100.64.0.1')
})

test('rows scroll on to the last; few are in the document, and the address keeps the position', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(ips)
  const box = (ip: string) => page.getByRole('checkbox', { name: `Select ${ip}`, exact: true })
  const rows = page.locator('tbody tr[aria-rowindex]')
  await expect(box('100.64.0.1')).toBeVisible()
  await expect(page).toHaveURL(ips)
  await scrollTo(page, 61)
  await expectPosition(page, /^61 of [\d,]+ · 100\.64\.0\.61$/)
  await expect(page).toHaveURL(`${ips}?from=61`)
  await expect(page.getByRole('row', { name: '100.64.0.61' })).toHaveAttribute('aria-rowindex', '62')
  await box('100.64.0.62').click()
  // The selection, and the range from the last pressed row, outlive the way out of the document.
  await scrollTo(page, 161)
  await expect(box('100.64.0.62')).toHaveCount(0)
  await box('100.64.0.165').click({ modifiers: ['Shift'] })
  await expect(page.getByText('104 selected')).toBeVisible()
  await expect(box('100.64.0.164')).toBeChecked()
  await expect(page).toHaveURL(/from=161/)
  await page.reload()
  await expectPosition(page, /^161 of/)
  await expect(page.getByRole('row', { name: '100.64.0.161' })).toBeInViewport()
  expect(await rows.count()).toBeLessThan(70)
  // Another order begins at the top.
  await page.getByRole('columnheader', { name: 'Network' }).getByRole('button').click()
  await expectPosition(page, /^1 of/)
  await expect(page).toHaveURL(`${ips}?by=network`)
})

test('keys and the scale lead to every row; the focus survives that its row is scrolled away', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(ips)
  const focused = (index: number) =>
    expect(page.locator('tr:focus-within')).toHaveAttribute('aria-rowindex', String(index + 1))
  const total = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1
  await page.getByRole('link', { name: '100.64.0.1', exact: true }).focus()
  for (let press = 0; press < 7; press += 1) await page.keyboard.press('PageDown')
  await focused(71)
  await page.keyboard.press('Control+End')
  await focused(total)
  await page.keyboard.press('ArrowUp')
  await focused(total - 1)
  await page.keyboard.press('Control+Home')
  await expect(page.getByRole('columnheader').first().getByRole('checkbox')).toBeFocused()
  await expect(page.getByRole('link', { name: '100.64.0.1', exact: true })).toBeInViewport()
  await page.keyboard.press('ArrowDown')
  await focused(1)
  const scale = page.getByRole('scrollbar', { name: 'Position in IPs' })
  const place = await scale.boundingBox()
  if (!place) throw new Error('no scale')
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
  await expect(page.getByRole('checkbox', { name: 'Select 100.64.0.1', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await focused(2)
})

test('rows that come late do not take the focus from where it has gone meanwhile', async ({ page }) => {
  await signIn(page)
  await page.goto(ips)
  await page.getByRole('link', { name: '100.64.0.1', exact: true }).focus()
  const { promise: late, resolve: bring } = Promise.withResolvers<void>()
  await page.route(/allips/, (route) => late.then(() => route.continue()))
  await page.keyboard.press('Control+End')
  await expect(page.locator('tr:focus-within')).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Control+Home')
  const all = page.getByRole('columnheader').first().getByRole('checkbox')
  await expect(all).toBeFocused()
  const loaded = page.waitForResponse(/allips/)
  bring()
  await loaded
  await expect(page.locator('tr[aria-busy]')).toHaveCount(0)
  await expect(all).toBeFocused()
})

test('Ctrl+Home on the headers shows the first rows, and the focus stays there', async ({ page }) => {
  await signIn(page)
  await page.goto(ips)
  const all = page.getByRole('columnheader').first().getByRole('checkbox')
  const first = page.getByRole('link', { name: '100.64.0.1', exact: true })
  await expect(first).toBeInViewport()
  await all.focus()
  await page.getByRole('grid').hover()
  await page.mouse.wheel(0, 40_000)
  await expect(first).toHaveCount(0)
  await page.keyboard.press('Control+Home')
  await expect(first).toBeInViewport()
  await expect(page.locator('tr[aria-busy]')).toHaveCount(0)
  await expect(all).toBeFocused()
})

/** The CPU time (ms) that a page spends on an action: the median of seven. Thread time, because the machine has other work. */
async function costOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await tools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const costs: number[] = []
  for (let count = 0; count < 7; count++) {
    const before = await spent()
    await act()
    costs.push((await spent()) - before)
  }
  return costs.toSorted((a, b) => a - b)[3] ?? 0
}

test('a scroll by a page costs at most nine times as much as a bare table of as many cells', async ({
  page,
}) => {
  const bare = await page.context().newPage()
  await bare.setContent(`<table>${`<tr>${'<td></td>'.repeat(9)}</tr>`.repeat(50)}</table>`)
  const filled = await costOf(bare, () =>
    bare.evaluate(async () => {
      for (const cell of document.querySelectorAll('td'))
        cell.innerHTML = `<a href="/${Math.random()}">${Math.random()}</a>`
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    }),
  )
  await signIn(page)
  await page.goto(ips)
  await scrollTo(page, 51)
  await expectLoaded(page)
  let row = 51
  const scrolled = await costOf(page, () => {
    row += 50
    return page.getByRole('grid').evaluate(async (grid, index) => {
      const isShown = () => grid.querySelector(`tr[aria-rowindex="${index + 28}"]:not([aria-busy])`)
      grid.parentElement?.scrollTo({ top: (index - 1) * 28 })
      while (!isShown()) await new Promise((resolve) => setTimeout(resolve, 20))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    }, row)
  })
  expect(scrolled / filled).toBeLessThan(9)
})

test('columns, density and theme are the user’s own, in another browser too, and outlive a failure', async ({
  page,
  api,
  browser,
  faults,
}) => {
  faults.allow(/status of 503/)
  const person = await newAdministrator(api)
  await signIn(page, person.nick, person.password)
  await page.goto(ips)
  const saved = () =>
    page.waitForResponse(
      (answer) => answer.url().endsWith('/preferences') && answer.request().method() === 'PUT',
    )
  let failures = 0
  await page.route('**/api/session/preferences', (route) => {
    if (route.request().method() !== 'PUT' || failures > 0) return route.fallback()
    failures += 1
    return route.fulfill({ status: 503, body: '' })
  })
  const refused = saved()
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  expect((await refused).status()).toBe(503)

  await page.getByRole('button', { name: 'Table preferences' }).click()
  const dialog = page.getByRole('dialog', { name: 'Table preferences' })
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Compact' }).check()
  await dialog.getByRole('checkbox', { name: 'Enterprise' }).uncheck()
  const kept = saved()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('columnheader', { name: 'Enterprise' })).toHaveCount(0)
  expect((await kept).status()).toBe(200)

  const elsewhere = await (await browser.newContext()).newPage()
  await signIn(elsewhere, person.nick, person.password)
  await elsewhere.goto(ips)
  await expect(addresses(elsewhere).first()).toBeVisible()
  await expect(elsewhere.getByRole('columnheader', { name: 'Enterprise' })).toHaveCount(0)
  await expect(elsewhere.locator('html')).toHaveAttribute('data-theme', 'dark')
  await elsewhere.context().close()
})

test('a view is saved, opened, renamed, replaced, deleted, and restored', async ({ page, api }) => {
  const person = await newAdministrator(api)
  await signIn(page, person.nick, person.password)
  await page.goto(ips)
  const views = page.getByRole('navigation', { name: 'Saved views' })
  await expect(addresses(page).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save view' })).toBeHidden()
  await page.goto(`${ips}?asc=false&state=quarantine`)
  await expect(views).toHaveCount(0)
  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  }
  await save(' ')
  await expect(page.getByRole('dialog').getByText('Enter a name.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Name').fill('Set aside')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The view Set aside is saved.').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(views.getByRole('link', { name: 'Set aside' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('button', { name: 'Save view' })).toBeHidden()

  await page.goto('/')
  await page.goto(ips)
  await expect(views.getByRole('link', { name: 'All' })).toHaveAttribute('aria-current', 'page')
  await views.getByRole('link', { name: 'Set aside' }).click()
  await expect(page).toHaveURL(/asc=false&state=quarantine/)
  await expect(search(page)).toHaveValue('state:quarantined')
  await expectAccessible(page)
  await views.getByRole('link', { name: 'All' }).click()
  await expect(search(page)).toHaveValue('')

  await page.getByRole('button', { name: 'Manage views' }).click()
  await page.getByLabel('Name of the view Set aside').fill('Kept back')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name of the view Kept back')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  // Filters by a network of this datacenter are offered only here.
  await page.goto(`${ips}?network=1`)
  await save('kept back')
  await page.goto('/datacenters/2/natips')
  await expect(views.getByRole('link')).toHaveText(['All'])
  await page.getByRole('button', { name: 'Manage views' }).click()
  await page.getByRole('button', { name: 'Delete the view kept back' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.goto(ips)
  await views.getByRole('link', { name: 'kept back' }).click()
  await expect(page).toHaveURL(/natips\?network=1$/)
})

test('a range of addresses is a filter in the line, the counts, the search and the way to an address', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/nat/ips')
  await expect(addresses(page).first()).toBeVisible()
  const first = await addresses(page).first().innerText()
  const start = first.split('.').slice(0, 3).join('.')
  const rows = page.getByRole('heading', { level: 1 })
  const within = new RegExp(`within=${start.replaceAll('.', '\\.')}\\.0%2F24`)
  await search(page).fill(start)
  await page.getByRole('button', { name: `Did you mean: in ${start}.0/24 (256)?` }).click()
  await expect(page).toHaveURL(within)
  await expect(search(page)).toHaveValue(`${start}.0/24 `)
  for (const ip of await addresses(page).allInnerTexts()) expect(ip).toMatch(new RegExp(`^${start}\\.`))
  const free = page.getByRole('button', { name: /^Free / })
  const counted = Number((await free.innerText()).replaceAll(/\D/g, ''))
  await free.click()
  await expect(rows).toContainText(`(${counted})`)

  await page.goto('/nat/ips')
  await page.getByRole('button', { name: 'Go to address' }).click()
  await page.getByRole('textbox', { name: 'Go to address' }).fill(`${first} - ${start}.255`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/within=/)

  await page.goto('/nat/rules')
  await page.getByRole('combobox', { name: 'Find by address, protocol or machine' }).fill(`${start}.0/24`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(within)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Search for screens/ }).fill(`${start}.*`)
  await page.getByRole('option', { name: `NAT IPs in ${start}.0/24` }).click()
  await expect(page).toHaveURL(within)
  await expectAccessible(page)
})

test('numbers, addresses and changes narrow the lists of NAT networks, NAT IPs and scopes', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/nat/networks')
  const field = page.getByRole('combobox', { name: /^Find/ })
  await expect(addresses(page).first()).toBeVisible()
  await field.pressSequentially('rul')
  await page.getByRole('option', { name: /^rules>/ }).click()
  await page.getByRole('option', { name: 'rules>10', exact: true }).click()
  await expect(page).toHaveURL(/rules=%3E10$/)
  await expect(field).toHaveValue('rules>10 ')
  await field.pressSequentially('used > 5%')
  await field.press('Enter')
  await expect(page).toHaveURL(/used=%3E5&rules=%3E10|rules=%3E10&used=%3E5/)
  await expect(field).toHaveValue('used>5 rules>10')
  await field.fill('203.0.113.7')
  await field.press('Enter')
  await expect(page).toHaveURL(/overlaps=203\.0\.113\.7$/)
  await expect(addresses(page)).toHaveText(['Madrid public'])
  await expect(field).toHaveValue('203.0.113.7')
  await field.fill('rules>x')
  await field.press('Enter')
  await expect(page.getByText('After Rules write > or < and a number.')).toBeVisible()

  await page.goto('/datacenters/1/natips')
  await search(page).fill('rules<1')
  await search(page).press('Enter')
  await expect(page).toHaveURL(/rules=%3C1/)
  await expect(addresses(page).first()).toBeVisible()
  for (const count of await page.getByRole('link', { name: / rules? of / }).allInnerTexts())
    expect(count).toBe('0')

  await page.goto('/scopes')
  await page.getByRole('combobox', { name: /^Find/ }).fill('changed:<1d europe')
  await page.getByRole('combobox', { name: /^Find/ }).press('Enter')
  await expect(page).toHaveURL(/has=europe&changed=%3C1d|changed=%3C1d&has=europe/)
  await expect(page.getByRole('treegrid').getByRole('link', { name: 'Europe' })).toBeVisible()
  await expectAccessible(page)
})

const created = z.object({ id: z.int() })
const minted = z.object({ token: z.string() })

/** Runs a shown command as a user would, with an access token of the administrator. */
async function shell(api: Api): Promise<(command: string) => Promise<unknown>> {
  const { id } = await api.get('/api/login', created)
  const tokens = `/api/admin/enterprises/_/users/${id}/tokens`
  const { token } = await api.post(tokens, { name: `Shell ${crypto.randomUUID()}` }, minted)
  return async (command) => {
    const env = { ...process.env, API_TOKEN: token, PASSWORD: 'a password from the shell' }
    const { stdout } = await promisify(execFile)('bash', ['-c', `${command} --silent --fail`], { env })
    return JSON.parse(stdout)
  }
}

/** The first command of the dialog that is open, which is closed. */
async function shownCommand(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'The same with the API' })
  const command = await dialog.locator('pre').first().textContent()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
  return command ?? ''
}

test('each screen, form and change shows its call, which answers the same in a shell', async ({
  page,
  api,
}) => {
  const run = await shell(api)
  await signIn(page)
  const button = page.getByRole('button', { name: 'API', exact: true })
  // No other test changes these.
  for (const screen of [
    '/scopes/1',
    '/datacenters/1',
    '/enterprises?has=albatros&asc=false',
    '/users?has=rosa.ibanez&asc=false',
    '/roles?has=CLOUD_ADMIN',
    `${ips}?ip=100.64.0.199&asc=false`,
  ]) {
    const answers = new Map<string, Promise<unknown>>()
    const note = (response: Response) => {
      if (response.ok() && /\/api\//.test(response.url()))
        answers.set(
          response.url(),
          response.json().catch(() => undefined),
        )
    }
    page.on('response', note)
    await page.goto(screen)
    await expectLoaded(page)
    page.off('response', note)
    await button.focus()
    await page.keyboard.press('Enter')
    if (screen === '/scopes/1') await expectAccessibleAtAnyWidth(page)
    const command = await shownCommand(page)
    const [, address = ''] = /^curl '([^']+)'/.exec(command) ?? []
    expect(await run(command), command).toEqual(await answers.get(address))
  }

  // A form: with its body, quoted for the shell. Running the command creates the same resource as the form.
  await page.goto('/enterprises/new')
  const name = `O'Hara "& Sons" $HOME ${crypto.randomUUID()}`
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('main').getByRole('button', { name: 'API', exact: true }).last().click()
  const command = await shownCommand(page)
  expect(command).toContain('-X POST')
  const made = created.extend({ name: z.string() }).parse(await run(command))
  expect(made.name).toBe(name)

  // A change: in the notice about it.
  await page.goto(`/enterprises/${made.id}/edit`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${name} 2`)
  await page.getByRole('button', { name: 'Save' }).click()
  const notices = page.getByRole('region', { name: 'Messages' })
  await notices.getByRole('button', { name: 'API', exact: true }).click()
  const change = await shownCommand(page)
  expect(change).toContain(`/api/admin/enterprises/${made.id}`)
  expect(change).toMatch(/-X PUT[\s\S]*-H 'If-Match: /)
  await api.remove(`/api/admin/enterprises/${made.id}`)
})

test('the whole filtered list is exported, and an empty one is not', async ({ page }) => {
  await signIn(page)
  await page.goto(`${ips}?state=quarantine`)
  const heading = page.getByRole('heading', { level: 1, name: /IPs \(\d+\)/ })
  const total = Number((await heading.textContent())?.match(/\d+/)?.[0])
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('nat-ips.csv')
  const rows = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(rows[0]).toMatch(/^id,ip,network/)
  expect(rows).toHaveLength(total + 1)

  await page.goto(`${ips}?has=nothing-like-this`)
  const none = page.getByRole('button', { name: 'Export CSV' })
  await expect(none).toBeDisabled()
  // The pointer is where it was, over what is now this button.
  await page.mouse.move(0, 0)
  await none.hover()
  await expect(page.getByRole('tooltip')).toHaveText('The list is empty: there is nothing to export.')
})

const found = z.object({ collection: z.array(z.object({ id: z.int(), name: z.string() })) })

test('a table is imported: columns matched, the difference seen, refusals named, applied and undone', async ({
  page,
  api,
}) => {
  const mark = crypto.randomUUID()
  const [kept, made] = [`Kept ${mark}`, `Made ${mark}`]
  await api.post('/api/admin/enterprises', { name: kept }, created)
  const names = async () => {
    const { collection } = await api.get(`/api/admin/enterprises?has=${mark}`, found)
    return collection.map(({ name }) => name)
  }
  await signIn(page)
  await page.goto('/enterprises')
  const dialog = page.getByRole('dialog', { name: 'Import enterprises' })
  const choose = (rows: string) =>
    dialog.locator('input[type=file]').setInputFiles({
      name: 'companies.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Company;Two factor;Remark\r\n${rows}`),
    })
  const match = async (column: string, field: string) => {
    await dialog.getByRole('button', { name: `Field of the column ${column}` }).click()
    await page.getByRole('option', { name: field, exact: true }).click()
  }
  const compare = dialog.getByRole('button', { name: 'Show the difference' })
  const difference = page.getByRole('dialog', { name: 'What the import would change' })
  const rows = difference.getByRole('row').filter({ has: page.getByRole('rowheader') })

  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import CSV' }).click()
  await expect(compare).toBeDisabled()
  await choose(`${kept};maybe;x\r\n${made};false;y\r\n`)
  await match('Company', 'name')
  await match('Two factor', 'twoFactorAuthenticationMandatory')
  await expectAccessibleAtAnyWidth(page)
  await compare.click()
  await expect(difference.getByText('One line is refused')).toBeVisible()
  await difference.getByRole('button', { name: 'Refused (1)' }).click()
  await expect(rows).toHaveText(/^2Refused.*twoFactorAuthenticationMandatory/)
  const downloaded = page.waitForEvent('download')
  await difference.getByRole('button', { name: 'Download the refused lines' }).click()
  const refused = await readFile(await (await downloaded).path(), 'utf8')
  expect(refused).toMatch(/^"Company";"Two factor";"Remark";"Fault"\r\nKept .*;maybe;x;"twoFactor.*"\r\n$/)
  await expect(difference.getByRole('button', { name: 'Apply the good one' })).toBeEnabled()

  // The columns are as they were chosen.
  await difference.getByRole('button', { name: 'Another file' }).click()
  await choose(`${kept};true;x\r\n${made};false;y\r\n`)
  await compare.click()
  await expect(difference.getByRole('button', { name: 'New (1)' })).toBeVisible()
  await difference.getByRole('button', { name: 'Changed (1)' }).click()
  await expect(rows).toHaveText(/^2Changed.*twoFactorAuthenticationMandatory: false → true/)
  await expectAccessibleAtAnyWidth(page)
  await difference.getByRole('button', { name: 'Apply 2 changes' }).click()
  const notices = page.getByRole('region', { name: 'Messages' })
  await expect(notices.getByText('Imported: 1 created, 1 changed, 0 deleted.')).toBeVisible()
  await expect(difference).toHaveCount(0)
  expect(await names()).toEqual([kept, made])

  await expect(notices.getByRole('link', { name: 'See the event' })).toBeVisible()
  await notices.getByRole('button', { name: 'Undo …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(notices.getByText('Undone: import of 2 changes.')).toBeVisible()
  expect(await names()).toEqual([kept])

  // The good lines alone: the refused one is left out.
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import CSV' }).click()
  await choose(`${kept};maybe;x\r\n${made};false;y\r\n`)
  await compare.click()
  await expect(difference.getByRole('button', { name: 'New (1)' })).toBeVisible()
  // What changed since the user looked is shown before it is applied.
  await api.post('/api/admin/enterprises', { name: made, twoFactorAuthenticationMandatory: true }, created)
  await difference.getByRole('button', { name: 'Apply the good one' }).click()
  await expect(difference.getByText('The data has changed in the meantime')).toBeVisible()
  await expect(difference.getByRole('button', { name: 'Changed (1)' })).toBeVisible()
  await expectAccessibleAtAnyWidth(page)
  await difference.getByRole('button', { name: 'Apply one change' }).click()
  await expect(notices.getByText('Imported: 0 created, 1 changed, 0 deleted.')).toBeVisible()
  expect(await names()).toEqual([kept, made])
  for (const { id } of (await api.get(`/api/admin/enterprises?has=${mark}`, found)).collection)
    await api.remove(`/api/admin/enterprises/${id}`)
})

test('a plan that a program made is looked at, applied and undone in the console', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(/status of 404/)
  const name = `Planned ${crypto.randomUUID()}`
  const { id } = await api.post('/api/plans', { enterprises: [{ name }] }, created)
  const names = async () =>
    (await api.get(`/api/admin/enterprises?has=${encodeURIComponent(name)}`, found)).collection.length
  await signIn(page)
  await page.goto(`/plans/${id}`)
  await expect(page.getByText('One is created')).toBeVisible()
  await expect(page.getByRole('rowheader', { name })).toBeVisible()
  await expectAccessibleAtAnyWidth(page)
  await page.getByRole('button', { name: 'Apply one change' }).click()
  const notices = page.getByRole('region', { name: 'Messages' })
  await expect(notices.getByText('Imported: 1 created, 0 changed, 0 deleted.')).toBeVisible()
  expect(await names()).toBe(1)
  await expect(page.getByRole('button', { name: 'Apply one change' })).toHaveCount(0)

  // The page shows the result at any time.
  await page.reload()
  await expect(page.getByText('Imported: 1 created, 0 changed, 0 deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText(/^Undone: /)).toBeVisible()
  expect(await names()).toBe(0)

  await page.goto('/plans/999999999')
  await expect(page.getByText('The plan does not exist or has expired')).toBeVisible()
})

test('the reason against a plan takes the width of its page', async ({ page, api }) => {
  const scopes = [{ name: `Refused ${crypto.randomUUID()}`, parent: `No scope ${crypto.randomUUID()}` }]
  const { id } = await api.post('/api/plans', { scopes }, created)
  await signIn(page)
  for (const width of [1440, 400]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/plans/${id}`)
    const reason = page.getByText('One line is refused')
    await expect(reason).toBeVisible()
    const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0
    const alert = page.locator('[class*=_notice]').filter({ has: reason }).first()
    expect(await widthOf(alert)).toBeGreaterThan(0.7 * (await widthOf(page.getByRole('main'))))
  }
  await expectAccessibleAtAnyWidth(page)
})

const devices = z.object({ collection: z.array(created) })

/** A NAT network with free IPs that no other test knows. */
async function newNetwork(api: Api, datacenter: number, cidr: string, numips: number): Promise<string> {
  const { collection } = await api.get(`/api/cloud/locations/${datacenter}/devices?has=edge`, devices)
  const device = { rel: 'device', href: `/api/cloud/locations/${datacenter}/devices/${collection[0]?.id}` }
  const body = { name: `Bulk ${crypto.randomUUID()}`, cidr, links: [device] }
  const path = `/api/admin/datacenters/${datacenter}/natnetworks`
  const { id } = await api.post(path, body, created)
  await api.post(`${path}/${id}/ips`, { numips }, z.object({}))
  return `/datacenters/${datacenter}/natnetworks/${id}`
}

/** The checkbox is disabled until the rows have come. */
async function selectPage(page: Page): Promise<void> {
  const all = page.getByRole('checkbox', { name: 'Select all rows of this page' })
  await expect(all).toBeEnabled()
  await all.press('Space')
}

test('one action changes rows of several datacenters; all that match have to be in one', async ({
  page,
  api,
}) => {
  await newNetwork(api, 3, '198.19.200.0/30', 2)
  await newNetwork(api, 1, '198.19.200.8/30', 2)
  await signIn(page)
  await page.goto('/nat/ips?ip=198.19.200.')
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveText([
    /200\.1.*Singapore/,
    /200\.2.*Singapore/,
    /200\.9.*Madrid/,
    /200\.10.*Madrid/,
  ])
  const actions = page.getByRole('button', { name: 'Actions', exact: true })
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await selectPage(page)
  await actions.click()
  await expect(page.getByRole('menuitem', { name: /^Attach/ })).toContainText(
    'They are in several datacenters. Select IPs of one.',
  )
  await page.keyboard.press('Escape')
  const called: (string | undefined)[] = []
  page.on('request', (request) => called.push(/datacenters\/(\d+)\/.*changeips$/.exec(request.url())?.[1]))
  await page.getByRole('button', { name: 'Put in quarantine' }).click()
  await expect(page.getByText('4 NAT IPs are in quarantine.')).toBeVisible()
  // A preview and a change in each datacenter.
  expect(called.filter((at) => at !== undefined).sort()).toEqual(['1', '1', '3', '3'])
  await expect(rows.filter({ hasText: 'Quarantined' })).toHaveCount(4)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The change to 4 NAT IPs is undone.')).toBeVisible()
  await expect(rows.filter({ hasText: 'Free' })).toHaveCount(4)

  // A row acts in its own datacenter.
  await page.getByRole('button', { name: 'Actions for 198.19.200.9' }).click()
  await item('Put in quarantine').click()
  await expect(rows.nth(2)).toContainText('Quarantined')
  await rows.nth(2).getByRole('link', { name: '198.19.200.9', exact: true }).click()
  await page.reload()
  const panel = page.getByRole('complementary', { name: '198.19.200.9' })
  await panel.getByRole('button', { name: 'Take out of quarantine' }).click()
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(rows.nth(2)).toContainText('Free')

  await page.goto('/nat/ips')
  await selectPage(page)
  const matching = page.getByRole('button', { name: /^Select all [\d,]+ that match/ })
  await expect(matching).toBeDisabled()
  await matching.hover()
  await expect(matching).toHaveAccessibleDescription(/^Filter by one datacenter first/)
  await page.goto('/nat/ips?datacenter=1')
  await expect(search(page)).toHaveValue('datacenter:Madrid')
  await selectPage(page)
  await matching.click()
  await expect(page.getByText(/^All [\d,]+ that match are selected$/)).toBeVisible()
})

test('a tag with any signs is a filter by a click, in the address and in the line', async ({ page, api }) => {
  const tag = `=cmd|"a, b" \\ %_ <b> \u202eevil 👩🏽‍💻`
  const role = { name: 'Roles of signs', privileges: [], tags: [tag], links: [] }
  await api.post('/api/admin/roles', role, created)
  await signIn(page)
  await page.goto('/roles?has=of+signs')
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveCount(1)
  const line = page.getByRole('combobox', { name: 'Find roles by name' })
  await page.goto(`/roles?${new URLSearchParams({ tag })}`)
  await expect(rows).toHaveCount(1)
  const written = 'tag:"=cmd|\\"a, b\\" \\\\ %_ <b> \u202eevil 👩🏽‍💻"'
  await expect(line).toHaveValue(written)
  // What the line says is what the address says.
  await line.press('End')
  await line.press('Enter')
  await expect(rows).toHaveCount(1)
  expect(new URL(page.url()).searchParams.get('tag')).toBe(tag)
  await line.fill('')
  await line.press('Enter')
  await expect(rows).not.toHaveCount(1)
  await line.fill(written)
  await line.press('Enter')
  await expect(rows).toHaveCount(1)
  expect(new URL(page.url()).searchParams.get('tag')).toBe(tag)
  await rows.getByRole('link', { name: 'Roles of signs', exact: true }).click()
  await page.getByRole('link', { name: tag }).click()
  await expect(line).toHaveValue(written)
  await expect(rows).toHaveCount(1)
})

test('tags are added to selected rows and removed from all that match, and both are undone', async ({
  page,
  api,
}) => {
  const path = await newNetwork(api, 3, '198.18.80.0/27', 30)
  await signIn(page)
  await page.goto(`${path}?ips.size=25`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  const dialog = page.getByRole('dialog')
  const openTags = async () => {
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Change tags', exact: true }).click()
    await expect(dialog.getByRole('combobox', { name: 'Add tags' })).toBeFocused()
  }
  const change = dialog.getByRole('button', { name: 'Change tags' })
  for (const ip of ['198.18.80.1', '198.18.80.2'])
    await page.getByRole('checkbox', { name: `Select ${ip}`, exact: true }).check()
  await openTags()
  await expect(dialog).toHaveAccessibleName('Change the tags of 2 NAT IPs?')
  await expect(change).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Add tags' }).fill('bulk "shop"')
  await expect(dialog.getByText('2 of 2 rows will change.')).toBeVisible()
  await expectAccessible(page)
  await change.click()
  await expect(page.getByText('The tags of 2 NAT IPs are changed.')).toBeVisible()

  // The tags of the selected rows are offered, and what they have already changes nothing.
  for (const ip of ['198.18.80.2', '198.18.80.3'])
    await page.getByRole('checkbox', { name: `Select ${ip}`, exact: true }).check()
  await openTags()
  await dialog.getByRole('combobox', { name: 'Add tags' }).fill('BULK "SHOP"')
  await expect(dialog.getByText('1 of 2 rows will change.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Add tags' }).fill('')
  await dialog.getByRole('combobox', { name: 'Remove tags' }).focus()
  await page.getByRole('option', { name: /bulk "shop"/ }).click()
  await expect(dialog.getByText('1 of 2 rows will change.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Clear selection' }).click()

  await page.goto(`${path}?ips.size=25&${new URLSearchParams({ 'ips.tag': 'bulk "shop"' })}`)
  await expect(rows).toHaveCount(2)
  await page.goto(`${path}?ips.size=25`)
  await selectPage(page)
  await page.getByRole('button', { name: 'Select all 30 that match' }).click()
  await openTags()
  await expect(dialog).toHaveAccessibleName('Change the tags of 30 NAT IPs?')
  await dialog.getByRole('combobox', { name: 'Remove tags' }).fill('bulk "shop"')
  await change.click()
  await expect(page.getByText('The tags of 2 NAT IPs are changed.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The change to 2 NAT IPs is undone.')).toBeVisible()
  await page.goto(`${path}?ips.size=25&${new URLSearchParams({ 'ips.tag': 'bulk "shop"' })}`)
  await expect(rows).toHaveCount(2)
})

test('an action on all matching rows shows its extent and its progress, and is undone', async ({
  page,
  api,
  baseURL,
}) => {
  await signIn(page)
  await page.goto(`${await newNetwork(api, 3, '198.18.77.0/27', 30)}?ips.size=25`)
  const band = page.getByRole('region', { name: 'IPs', exact: true })
  const head = page.getByRole('columnheader', { name: 'State' })
  const place = await head.boundingBox()
  /** The first three actions are buttons, the others are in a menu. */
  const choose = async (name: string) => {
    const button = band.getByRole('button', { name, exact: true })
    if ((await button.count()) > 0) return button.click()
    await band.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await selectPage(page)
  await page.getByRole('button', { name: 'Select all 30 that match' }).click()
  await expect(page.getByText('All 30 that match are selected')).toBeVisible()
  // The selection takes the place of the filters, and moves nothing.
  expect(await head.boundingBox()).toEqual(place)
  await expectAccessible(page)
  // Nothing uses the IPs, so nothing is asked.
  await choose('Put in quarantine')
  await expect(page.getByText('30 NAT IPs are in quarantine.')).toBeVisible()
  await page.keyboard.press('z')
  await expect(page.getByText('The change to 30 NAT IPs is undone.')).toBeVisible()

  // A report comes only if a row is refused. It stays selected.
  const tick = (ip: string) => page.getByRole('checkbox', { name: `Select ${ip}`, exact: true }).check()
  await tick('198.18.77.1')
  await tick('198.18.77.2')
  const refusals = [{ id: 1, name: '198.18.77.2', code: 'NAT-IP-3', message: 'The NAT IP has rules' }]
  await page.route('**/action/deleteips', async (route) => {
    const sent = route.request().postDataJSON() as { dryrun?: boolean; ids: number[] }
    if (sent.dryrun) return route.fallback()
    const report = { links: [], total: 2, changed: 1, unchanged: 0, refused: 1, refusals, ids: [sent.ids[0]] }
    await page.route('**/api/jobs/0/report', (asked) => asked.fulfill({ status: 200, json: report }))
    const links = [{ rel: 'result', href: `${baseURL}/api/jobs/0/report` }]
    const counts = { done: 2, total: 2, refused: 1, created: new Date().toISOString() }
    const job = { links, id: 0, operation: 'natip.delete', state: 'done', ...counts }
    return route.fulfill({ status: 202, json: job })
  })
  await choose('Delete')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveAccessibleName('Delete 2 NAT IPs?')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('1 row was refused, 1 succeeded.')).toBeVisible()
  await expect(dialog.getByText('The NAT IP has rules')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('1 selected')).toBeVisible()
})
