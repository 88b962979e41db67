import { call, expectStatus, ORIGIN, type User, unique } from '#lib/tools/testing/client'

export const SCOPES = '/api/admin/scopes'

export const scopePath = (id: number): string => `${SCOPES}/${id}`

export const parentLink = (id: number) => ({ rel: 'scopeParent', href: `${ORIGIN}${scopePath(id)}` })

export const ofEnterprise = (idResource: number) => ({ idResource, type: 'ENTERPRISE' })

export const ofDatacenter = (idResource: number) => ({ idResource, type: 'DATACENTER' })

type NewScope = {
  name?: string
  parent?: number
  enterprises?: readonly number[]
  datacenters?: readonly number[]
  automaticAddDatacenter?: boolean
  automaticAddEnterprise?: boolean
}

/** The body of a scope: by default a root without entities. */
export const scopeBody = ({ parent, enterprises = [], datacenters = [], ...fields }: NewScope = {}) => ({
  name: unique('Scope'),
  ...fields,
  scopeEntities: [...enterprises.map(ofEnterprise), ...datacenters.map(ofDatacenter)],
  links: parent === undefined ? [] : [parentLink(parent)],
})

/** Creates a scope through the front door; gives its document. */
export const newScope = (scope: NewScope = {}, as?: User) =>
  expectStatus(201, call('POST', SCOPES, { body: scopeBody(scope), ...(as && { as }) }))

export const readScope = (id: number, as?: User) =>
  expectStatus(200, call('GET', scopePath(id), { ...(as && { as }) }))

/** Sends the whole document back, changed. */
export const putScope = (scope: { id: number }, change: object = {}, as?: User) =>
  call('PUT', scopePath(scope.id), { body: { ...scope, ...change }, ...(as && { as }) })
