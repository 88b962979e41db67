import type { Privilege } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import { call, expectStatus, ORIGIN, router, type User, unique } from '#lib/tools/testing/client'

export const ENTERPRISES = '/api/admin/enterprises'
export const ROLES = '/api/admin/roles'

export const usersOf = (enterprise: number | '_'): string => `${ENTERPRISES}/${enterprise}/users`

const linkTo = (rel: string, path: string) => ({ rel, href: ORIGIN + path })

export const roleLink = (id: number) => linkTo('role', `${ROLES}/${id}`)
export const scopeLink = (id: number) => linkTo('scope', `/api/admin/scopes/${id}`)
export const enterpriseLink = (id: number) => linkTo('enterprise', `${ENTERPRISES}/${id}`)

type NewRole = { name?: string; privileges?: readonly Privilege[]; enterpriseId?: number }

/** A role, made beside the API. */
export async function newRole({ name, privileges = [], enterpriseId }: NewRole = {}): Promise<number> {
  await router()
  return transaction((trx) =>
    insertRole(trx, { name: name ?? unique('Role'), privileges, ...(enterpriseId && { enterpriseId }) }),
  )
}

export const PASSWORD = 'twelve letters at least'

type NewUser = { role: number; scope?: number; links?: object[] } & Record<string, unknown>

/** The body of a user. */
export const userBody = ({ role, scope, links = [], ...fields }: NewUser) => ({
  nick: unique('nick').replace(' ', '-'),
  password: PASSWORD,
  name: 'Test',
  ...fields,
  links: [roleLink(role), ...(scope === undefined ? [] : [scopeLink(scope)]), ...links],
})

/** Creates a user through the front door; gives its document. */
export const createdUser = (enterprise: number, user: NewUser, as?: User) =>
  expectStatus(201, call('POST', usersOf(enterprise), { body: userBody(user), ...(as && { as }) }))

export const readUser = (id: number, as?: User) =>
  expectStatus(200, call('GET', `${usersOf('_')}/${id}`, { ...(as && { as }) }))

/** Sends the whole document back, changed. */
export const putUser = (user: { id: number }, change: object = {}, as?: User) =>
  call('PUT', `${usersOf('_')}/${user.id}`, { body: { ...user, ...change }, ...(as && { as }) })

/** The links of a document with the one of this rel replaced, or left out. */
export const relinked = (
  { links }: { links: { rel: string }[] },
  rel: string,
  link?: { rel: string; href: string },
) => [...links.filter((each) => each.rel !== rel), ...(link ? [link] : [])]

/** The changes in the events of one resource, oldest first, without sign-ins. */
export async function eventsOf(entity: string, id: number) {
  const query = `entity=${entity}&entityid=${id}&asc=true&by=id&limit=0`
  const { collection } = await expectStatus(200, call('GET', `/api/events?${query}`))
  return collection.filter(({ action }: { action: string }) =>
    ['create', 'update', 'delete'].includes(action),
  )
}
