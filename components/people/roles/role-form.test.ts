import { expect, test } from 'vitest'
import { draftOf, emptyDraft, sentBy } from '#components/base/forms/declared-form'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { roleForm } from './role-form'
import { wholeRole } from './use-role'

const links = [{ rel: 'scope', href: '/api/admin/scopes/3', title: 'Spain' }]
const role = { document: { links, id: 7, name: ' Desk ', blocked: false, ...noNotes }, etag: '"a"' }
const privilege = (id: number, name: string) => ({ links: [], id, name, description: '' })
const [view, manage] = [privilege(16, 'USERS_VIEW'), privilege(17, 'USERS_MANAGE_USERS')]

test('the tag of a role differs once its privileges do, in whatever order they come', () => {
  const { etag } = wholeRole(role, [view, manage])
  expect(wholeRole(role, [manage, view]).etag).toBe(etag)
  expect(wholeRole(role, [view]).etag).not.toBe(etag)
  expect(wholeRole({ ...role, etag: '"b"' }, [view, manage]).etag).not.toBe(etag)
})

test('a new role has no privilege yet', () => {
  expect(emptyDraft(roleForm)).toEqual({
    name: '',
    enterprise: undefined,
    scope: undefined,
    ...noNotes,
    privilege: [],
  })
})

test('a role is sent with its privileges, and with links as ids', () => {
  const draft = draftOf(roleForm, wholeRole(role, [view, privilege(99, 'OF_A_NEWER_VERSION')]).document)
  expect(draft).toEqual({
    name: ' Desk ',
    enterprise: undefined,
    scope: { id: 3, name: 'Spain' },
    ...noNotes,
    privilege: ['USERS_VIEW'],
  })
  expect(sentBy(roleForm, draft)).toEqual({
    name: 'Desk',
    enterprise: undefined,
    scope: 3,
    ...noNotes,
    privilege: ['USERS_VIEW'],
  })
})
