import { expect, test } from 'vitest'
import { hasPast, privilegesFor, screenOf } from './screens'

const to = (path: string) => screenOf({ rel: 'self', href: `https://cloud.example/base/api${path}` })

test.each([
  ['/admin/scopes/7', '/scopes/7'],
  ['/admin/roles/3', '/roles/3'],
  ['/admin/enterprises/2', '/enterprises/2'],
  ['/admin/enterprises/2/users/9', '/enterprises/2/users/9'],
  ['/admin/enterprises/2/users/9/tokens/4', '/enterprises/2/users/9/tokens/4'],
  ['/admin/datacenters/1', '/datacenters/1'],
  ['/admin/webhooks/6', '/settings/webhooks/6'],
  ['/plans/8', '/plans/8'],
  ['/admin/datacenters/1/natnetworks/4', '/datacenters/1/natnetworks/4'],
  ['/admin/datacenters/1/natnetworks/4/ips/812', '/datacenters/1/natnetworks/4?tab=ips&open=4-812'],
  ['/cloud/locations/1/devices/5', '/datacenters/1/devices/5'],
  ['/cloud/locations/1', '/datacenters/1'],
  ['/cloud/virtualdatacenters/3', '/virtualdatacenters/3'],
  ['/cloud/virtualdatacenters/3/privateips/8', '/virtualdatacenters/3?tab=privateips'],
  ['/cloud/virtualdatacenters/3/virtualappliances/4', '/virtualdatacenters/3/virtualappliances/4'],
  [
    '/cloud/virtualdatacenters/3/virtualappliances/4/virtualmachines/5',
    '/virtualdatacenters/3/virtualappliances/4/virtualmachines/5',
  ],
  [
    '/cloud/virtualdatacenters/3/virtualappliances/4/virtualmachines/5/natrules/6',
    '/virtualdatacenters/3/virtualappliances/4/virtualmachines/5?rules.row=6',
  ],
])('%s is shown at %s', (address, screen) => {
  expect(to(address)).toBe(screen)
  expect(privilegesFor(screen)).toBeDefined()
})

test('items without a screen have no link', () => {
  expect(to('/admin/enterprises/2/users/9/applications/1')).toBeUndefined()
})

test('lists and single resources have a past, forms and what is not of the cloud have none', () => {
  for (const address of ['/', '/scopes', '/scopes/7', '/nat/ips?state=free', '/enterprises/2/users/9'])
    expect([address, hasPast(address)]).toEqual([address, true])
  for (const address of ['/settings', '/account', '/scopes/new', '/scopes/7/edit', '/plans/1', '/nowhere'])
    expect([address, hasPast(address)]).toEqual([address, false])
})
