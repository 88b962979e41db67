import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { expect, expectAccessibleAtAnyWidth, signIn, test } from './fixtures'

const made = z.object({ id: z.int() })
const listed = z.object({
  collection: z.array(z.object({ id: z.int(), name: z.string(), cidr: z.string() })),
})
const named = z.object({ collection: z.array(z.object({ id: z.int(), name: z.string() })) })

const netBox = [
  'Prefix,Status,Children,VRF,Utilization,Tenant,Scope,VLAN,Role,Description',
  '198.51.100.0/24,Container,2,Global,50.0%,—,Porto,—,—,All of it',
  '• 198.51.100.0/26,Active,0,Global,0.0%,—,Porto,—,—,"Servers, public"',
  '• 198.51.100.64/26,Active,0,Global,0.0%,—,Porto,—,—,',
  '192.0.2.7/24,Active,0,Global,0.0%,—,Porto,—,—,Host bits',
].join('\r\n')

test('networks come from an export of NetBox, without its parents and faulty rows, or from a free example range', async ({
  page,
  api,
}) => {
  const place = `Porto ${crypto.randomUUID()}`
  const { id } = await api.post('/api/admin/datacenters', { name: place, location: 'Here' }, made)
  const { collection: types } = await api.get('/api/config/devicetypes', named)
  const type = types.find(({ name }) => name === 'LOGICAL')?.id
  const link = { rel: 'devicetype', href: `/api/config/devicetypes/${type}` }
  const devices = `/api/cloud/locations/${id}/devices`
  const device = await api.post(devices, { name: 'porto-1', links: [link] }, made)
  const networks = `/api/admin/datacenters/${id}/natnetworks`
  const stored = async () => (await api.get(`${networks}?by=name`, listed)).collection

  await signIn(page)
  await page.goto('/nat/networks')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import NAT networks' })
  const choose = (name: string, text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const compare = dialog.getByRole('button', { name: 'Show the difference' })

  await choose('phpipam.xls', 'PK\u0003\u0000\u0000')
  await expect(dialog.getByText('This is not a CSV file.')).toBeVisible()
  await expect(compare).toBeDisabled()

  await choose('netbox.csv', netBox)
  await expect(dialog.getByRole('button', { name: 'Field of the column Prefix' })).toHaveText('cidr')
  await expect(dialog.getByRole('button', { name: 'Field of the column Description' })).toHaveText('name')
  await expect(compare).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Datacenter' }).click()
  await dialog.getByRole('combobox', { name: 'Datacenter' }).fill(place)
  await page.getByRole('option', { name: place }).click()
  await dialog.getByRole('button', { name: /Device/ }).click()
  await page.getByRole('option', { name: 'porto-1' }).click()
  await expectAccessibleAtAnyWidth(page)
  await compare.click()

  const difference = page.getByRole('dialog', { name: 'What the import would change' })
  await expect(difference.getByText('One range is left out')).toBeVisible()
  await expect(difference.getByText('198.51.100.0/24', { exact: true })).toBeVisible()
  await expect(difference.getByText('did you mean 192.0.2.0/24?')).toBeVisible()
  await expectAccessibleAtAnyWidth(page)
  const downloaded = page.waitForEvent('download')
  await difference.getByRole('button', { name: 'Download the refused lines' }).click()
  const [header, refused] = (await readFile(await (await downloaded).path(), 'utf8')).split('\r\n')
  expect(header).toMatch(/^"Prefix","Status",.*"Description","Fault"$/)
  expect(refused).toMatch(/^192\.0\.2\.7\/24,Active,.*,Host bits,"cidr: /)
  await difference.getByRole('button', { name: 'Apply the 2 good ones' }).click()
  await expect(page.getByText('Imported: 2 created, 0 changed, 0 deleted.')).toBeVisible()
  expect(await stored()).toMatchObject([
    { name: '198.51.100.64/26', cidr: '198.51.100.64/26' },
    { name: 'Servers, public', cidr: '198.51.100.0/26' },
  ])

  await page.goto(`/datacenters/${id}/natnetworks/new`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Made up')
  const example = page.getByRole('button', { name: 'Use a free example range' })
  await example.click()
  await expect(page.getByRole('textbox', { name: /CIDR/ })).toHaveValue(/^[\d.]+\.0\/24$/)
  await expect(example).toBeFocused()
  await page.getByRole('combobox', { name: 'Device' }).click()
  await page.getByRole('option', { name: 'porto-1' }).click()
  await page.getByRole('button', { name: 'Create network' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Made up' })).toBeVisible()

  const own = await stored()
  expect(own).toHaveLength(3)
  const cidr = encodeURIComponent(own.find(({ name }) => name === 'Made up')?.cidr ?? '')
  expect((await api.get(`/api/admin/natnetworks?overlaps=${cidr}`, listed)).collection).toHaveLength(1)
  await page.goto('about:blank')
  for (const network of own) await api.remove(`${networks}/${network.id}`)
  await api.remove(`${devices}/${device.id}`)
  await api.remove(`/api/admin/datacenters/${id}`)
})
