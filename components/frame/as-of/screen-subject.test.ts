import { expect, test } from 'vitest'
import { addressBeside } from './keep-moment'
import { subjectOf } from './screen-subject'

test('the steps of the time bar are about the resource of the screen, or the kind of its list', () => {
  expect(subjectOf('/scopes/7')).toEqual({ entity: 'scope', entityid: 7, path: '/api/admin/scopes/7' })
  expect(subjectOf('/enterprises/2/users/9')).toEqual({
    entity: 'user',
    entityid: 9,
    path: '/api/admin/enterprises/2/users/9',
  })
  expect(subjectOf('/datacenters/1/devices/3')?.path).toBe('/api/cloud/locations/1/devices/3')
  expect(subjectOf('/datacenters/1/natnetworks/4')).toMatchObject({ entity: 'natnetwork', entityid: 4 })
  const machine = '/virtualdatacenters/1/virtualappliances/2/virtualmachines/3'
  expect(subjectOf(machine)).toEqual({
    entity: 'virtualmachine',
    entityid: 3,
    path: `/api/cloud${machine}`,
  })
  expect(subjectOf('/datacenters/1/natips')).toEqual({ entity: 'natip' })
  expect(subjectOf('/scopes/new')).toBeUndefined()
  expect(subjectOf('/scopes/map')).toEqual({ entity: 'scope' })
  expect(subjectOf('/')).toBeUndefined()
})

test('a link beside a past screen has its moment, and compares with now too', () => {
  const shown = '?asof=2026-11-20T10:00:00.000Z&tab=users'
  const asof = 'asof=2026-11-20T10%3A00%3A00.000Z'
  expect(addressBeside('/roles/3', '')).toBe('/roles/3')
  expect(addressBeside('/roles/3', shown)).toBe(`/roles/3?${asof}`)
  expect(addressBeside('/roles/3', `${shown}&compare=now`)).toBe(`/roles/3?${asof}&compare=now`)
  expect(addressBeside('/roles?by=id', `${shown}&compare=now`)).toBe(`/roles?by=id&${asof}&compare=now`)
  expect(addressBeside('/api/admin/roles?limit=0', `${shown}&compare=now`)).toBe(
    `/api/admin/roles?limit=0&${asof}`,
  )
})
