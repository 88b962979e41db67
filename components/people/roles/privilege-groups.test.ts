import { expect, test } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { differenceOf, fits, inGroups } from './privilege-groups'

test('every privilege is in one group', () => {
  expect([...inGroups].sort()).toEqual([...allPrivileges].sort())
})

test('a difference lists added and removed privileges', () => {
  expect(differenceOf(['USERS_VIEW', 'VDC_MANAGE'], ['VDC_MANAGE', 'MANAGE_NATIPS'])).toEqual({
    added: ['MANAGE_NATIPS'],
    removed: ['USERS_VIEW'],
  })
})

test('a privilege is found by any of its texts', () => {
  expect(fits(' nat ', 'Attach and release NAT IPs', 'MANAGE_NATIPS')).toBe(true)
  expect(fits('scope', 'Attach and release NAT IPs', 'MANAGE_NATIPS')).toBe(false)
})
