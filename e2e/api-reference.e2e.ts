import { expect, expectNoBarrier, outline, signIn, test } from './fixtures'
import { newUser } from './people'

test('the API is read and tried with the session of the console, and nothing foreign is asked', async ({
  page,
  baseURL,
}) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseURL}`) && !request.url().startsWith('data:'))
      foreign.push(request.url())
  })
  await signIn(page)
  await page.goto('/')
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API')

  await expect(page.locator('#operations-tag-scopes')).toBeVisible()
  await expectNoBarrier(page, outline)
  await page.locator('#operations-tag-scopes').click()
  const list = page.locator('#operations-scopes-listScopes')
  await list.locator('.opblock-summary').click()
  await expect(list).toContainText('USERS_MANAGE_SCOPES')
  await expect(list).toContainText('startwith')
  await expect(list).toContainText('GEN-22')
  await expect(page).toHaveURL(/#\/scopes\/listScopes$/)

  await list.getByRole('button', { name: 'Try it out' }).click()
  await list.getByRole('button', { name: 'Execute' }).click()
  const answer = list.locator('.live-responses-table')
  await expect(answer.locator('.response-col_status').last()).toHaveText(/200/)
  await expect(answer).toContainText('Global scope')
  expect(foreign).toEqual([])
})

test('a link to an operation opens it, after a reload too', async ({ page }) => {
  await signIn(page)
  await page.goto('/api-reference#/scopes/createScope')
  await expect(page.locator('#operations-scopes-createScope')).toContainText('SCOPE-21', {
    timeout: 30_000,
  })
  await page.reload()
  await expect(page.locator('#operations-scopes-createScope')).toContainText('SCOPE-21', {
    timeout: 30_000,
  })
})

test('the trial refuses calls that the user’s privileges do not allow', async ({ page, api, faults }) => {
  faults.allow(/403/)
  const { nick, password } = await newUser(api)
  await signIn(page, nick, password)
  await page.goto('/api-reference#/scopes/listScopes')
  const list = page.locator('#operations-scopes-listScopes')
  await list.getByRole('button', { name: 'Try it out' }).click()
  await list.getByRole('button', { name: 'Execute' }).click()
  await expect(list.locator('.live-responses-table .response-col_status').last()).toHaveText(/403/)
})
