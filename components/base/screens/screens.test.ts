import { expect, test } from 'vitest'
import { privilegesFor, screenOf } from './screens'

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
])('%s is shown at %s', (address, screen) => {
  expect(to(address)).toBe(screen)
  expect(privilegesFor(screen)).toBeDefined()
})

test('items without a screen have no link', () => {
  expect(to('/cloud/virtualdatacenters/3')).toBeUndefined()
  expect(to('/admin/enterprises/2/users/9/applications/1')).toBeUndefined()
})
