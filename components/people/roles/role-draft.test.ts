import { expect, test } from 'vitest'
import { sentRole, wholeRole } from './role-draft'

const role = { document: { links: [], id: 7, name: 'Desk', blocked: false }, etag: '"a"' }
const privilege = (id: number, name: string) => ({ links: [], id, name, description: '' })

test('the tag of a role differs once its privileges do, in whatever order they come', () => {
  const [view, manage] = [privilege(16, 'USERS_VIEW'), privilege(17, 'USERS_MANAGE_USERS')]
  const { etag } = wholeRole(role, [view, manage])
  expect(wholeRole(role, [manage, view]).etag).toBe(etag)
  expect(wholeRole(role, [view]).etag).not.toBe(etag)
  expect(wholeRole({ ...role, etag: '"b"' }, [view, manage]).etag).not.toBe(etag)
})

test('privileges are sent by the ids that the API gives them', () => {
  const draft = {
    name: ' Desk ',
    enterprise: undefined,
    scope: { id: 3, name: 'Spain' },
    privileges: ['USERS_VIEW'] as const,
  }
  expect(sentRole(draft, [privilege(16, 'USERS_VIEW'), privilege(17, 'USERS_MANAGE_USERS')])).toEqual({
    name: 'Desk',
    enterprise: undefined,
    scope: 3,
    privileges: [16],
  })
})
