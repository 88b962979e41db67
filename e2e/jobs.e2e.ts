import type { Page } from 'playwright/test'
import { always, expect, expectAccessible, signIn, test } from './fixtures'
import { newNetwork } from './nat-networks'

/* The tray of jobs: what changes many rows goes on in the server, and the top bar shows how far it is. */

const tray = (page: Page) => page.getByRole('dialog', { name: 'Jobs' })

const openTray = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Jobs', exact: true }).click()
  await expect(tray(page)).toBeVisible()
}

/** A job as the API reports it. */
const jobOf = (origin: string | undefined, facts: object) => ({
  links: ['self', 'stop'].map((rel) => ({ rel, href: `${origin}/api/jobs/7` })),
  id: 7,
  operation: 'natip.update',
  done: 4200,
  total: 200_000,
  refused: 0,
  created: new Date().toISOString(),
  ...facts,
})

test('a change goes on after its page is left, and is undone from the tray of another tab', {
  tag: always,
}, async ({ page, api, context }) => {
  const { path } = await newNetwork(api, { name: 'Jobs', cidr: '198.18.90.0/26', ips: 50 })
  await signIn(page)
  await page.goto(path)
  const all = page.getByRole('checkbox', { name: 'Select all rows of this page' })
  await expect(all).toBeEnabled()
  await all.press('Space')
  const begun = page.waitForResponse((response) => response.status() === 202)
  await page.getByRole('button', { name: 'Put in quarantine' }).click()
  expect((await begun).headers()['preference-applied']).toBe('respond-async')
  await page.close()

  const other = await context.newPage()
  await other.goto(path)
  await expect(other.getByRole('row').filter({ hasText: 'Quarantined' })).toHaveCount(50)
  await openTray(other)
  const job = tray(other).getByRole('listitem').first()
  await expect(job).toContainText('Change 50 NAT IPs')
  await expectAccessible(other)
  const undone = other.waitForResponse((response) => response.status() === 202)
  await job.getByRole('button', { name: 'Undo' }).click()
  await undone
  await expect(tray(other).getByRole('listitem').first()).toContainText('Undo a change')
  await other.keyboard.press('Escape')
  await expect(other.getByRole('row').filter({ hasText: 'Quarantined' })).toHaveCount(0)
})

test('a job that runs shows how far it is, is stopped, and its refused rows are read', async ({
  page,
  baseURL,
}) => {
  const running = jobOf(baseURL, { state: 'running', refused: 3 })
  const links = ['self', 'result'].map((rel) => ({ rel, href: `${baseURL}/api/jobs/7/report` }))
  let job: object = running
  await page.route(/\/api\/jobs\?/, (route) =>
    route.fulfill({ json: { links: [], collection: [job], totalSize: 1 } }),
  )
  await page.route('**/api/jobs/7/action/stop', (route) => {
    job = { ...running, state: 'stopped', links }
    return route.fulfill({ json: job })
  })
  const refusals = [{ id: 1, name: '198.18.77.2', code: 'NAT-IP-3', message: 'The NAT IP has rules' }]
  await page.route('**/api/jobs/7/report', (route) =>
    route.fulfill({
      json: { links: [], total: 200_000, changed: 4197, unchanged: 0, refused: 3, refusals, ids: [] },
    }),
  )
  await signIn(page)
  await page.goto('/enterprises')
  await page.getByRole('button', { name: 'One job is running' }).click()
  await expect(tray(page).getByRole('progressbar', { name: 'Change 200,000 NAT IPs' })).toBeVisible()
  await expect(tray(page)).toContainText('4,200 of 200,000')
  await tray(page).getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('The job is stopped. What it did by then stays.')).toBeVisible()
  await expect(tray(page)).toContainText('Stopped: 4,200 of 200,000')
  await tray(page).getByRole('button', { name: '3 refused' }).click()
  const report = page.getByRole('dialog', { name: 'Change 200,000 NAT IPs' })
  await expect(report).toContainText('The NAT IP has rules')
  await expect(report).toContainText('2 more rows were refused.')
  await expectAccessible(page)
})

test('a change that takes long continues in the background', async ({ page, api, baseURL }) => {
  const { path } = await newNetwork(api, { name: 'Jobs behind', cidr: '198.18.91.0/28', ips: 3 })
  await signIn(page)
  await page.goto(path)
  const all = page.getByRole('checkbox', { name: 'Select all rows of this page' })
  await expect(all).toBeEnabled()
  await all.press('Space')
  await page.route('**/action/changeips', (route) => {
    const { dryrun } = route.request().postDataJSON() as { dryrun?: boolean }
    return dryrun
      ? route.fallback()
      : route.fulfill({ status: 202, json: jobOf(baseURL, { state: 'running' }) })
  })
  await page.route('**/api/jobs/7', (route) =>
    route.fulfill({ json: jobOf(baseURL, { state: 'running', links: [] }) }),
  )
  await page.getByRole('button', { name: 'Put in quarantine' }).click()
  const dialog = page.getByRole('dialog', { name: 'Put in quarantine' })
  await expect(dialog).toContainText('4,200 of 200,000 rows')
  await dialog.getByRole('button', { name: 'Continue in the background' }).last().click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('3 selected')).toBeHidden()
  await page.unroute('**/api/jobs/7')
  const failed = { state: 'failed', links: [], code: '403-FORBIDDEN', message: 'You may not do this' }
  await page.route('**/api/jobs/7', (route) => route.fulfill({ json: jobOf(baseURL, failed) }))
  await expect(page.getByText('You may not do this')).toBeVisible()
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(tray(page)).toBeVisible()
})
