import { describe, expect, test } from 'vitest'
import { operationsOn, thingAt } from './operations'

describe('the resource that a screen shows', () => {
  test.each([
    ['/scopes/7', { kind: 'scope', id: 7 }],
    ['/enterprises/3', { kind: 'enterprise', id: 3 }],
    ['/datacenters/2', { kind: 'datacenter', id: 2 }],
    ['/datacenters/2/natnetworks/5', { kind: 'natnetwork', datacenter: 2, id: 5 }],
    ['/scopes/7/edit', undefined],
    ['/scopes', undefined],
    ['/users', undefined],
  ])('%s', (address, thing) => {
    expect(thingAt(address)).toEqual(thing)
  })
})

describe('the operations in questions about access', () => {
  test('are below the path of the resource', () => {
    const calls = operationsOn({ kind: 'natnetwork', datacenter: 2, id: 5 }).map(({ call }) => call)
    expect(calls).toContainEqual({ method: 'DELETE', path: '/api/admin/datacenters/2/natnetworks/5' })
    expect(calls).toContainEqual({ method: 'POST', path: '/api/admin/datacenters/2/natnetworks/5/ips' })
  })

  test('on devices are below the location', () => {
    const calls = operationsOn({ kind: 'datacenter', id: 2 }).map(({ call }) => call)
    expect(calls).toContainEqual({ method: 'POST', path: '/api/cloud/locations/2/devices' })
  })
})
