import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { MOST_RESULTS } from '#lib/people/scim/list-query.schema'
import { listResponse } from '#lib/people/scim/lists.server'
import { ENTERPRISE, GROUP, USER } from '#lib/people/scim/schema-urns'
import { schemas } from '#lib/people/scim/schemas'
import { scimBase } from '#lib/people/scim/users.server'
import type { Context } from '#lib/record/events/operation.server'

/* SCIM describes itself: RFC 7643 §5 to §7, RFC 7644 §4. */

const core = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`

const described = (resourceType: string, location: string) => ({ meta: { resourceType, location } })

type Asking = Pick<Context, 'request'>

export const readProviderConfig = async ({ request }: Asking) => ({
  schemas: [core('ServiceProviderConfig')],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: true },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Access token',
      description: 'An access token of a service account, as Authorization: Bearer sat_…',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  ...described('ServiceProviderConfig', `${scimBase(request)}/ServiceProviderConfig`),
})

const types = [
  {
    id: 'User',
    name: 'User',
    description: 'A user',
    endpoint: '/Users',
    schema: USER,
    schemaExtensions: [{ schema: ENTERPRISE, required: false }],
  },
  {
    id: 'Group',
    name: 'Group',
    description: 'A role. Each user has one',
    endpoint: '/Groups',
    schema: GROUP,
    schemaExtensions: [],
  },
]

const resourceTypes = (request: Exchange) =>
  types.map((type) => ({
    schemas: [core('ResourceType')],
    ...type,
    ...described('ResourceType', `${scimBase(request)}/ResourceTypes/${type.id}`),
  }))

const schemaResources = (request: Exchange) =>
  schemas.map((schema) => ({
    schemas: [core('Schema')],
    ...schema,
    ...described('Schema', `${scimBase(request)}/Schemas/${schema.id}`),
  }))

const whole = (resources: object[]) => listResponse({ total: resources.length, resources })

export const listResourceTypes = async ({ request }: Asking) => whole(resourceTypes(request))

export const listSchemas = async ({ request }: Asking) => whole(schemaResources(request))

/** The last segment of the path, which names one of the resources. Throws 404. */
function named<T extends { id: string }>(request: Exchange, resources: readonly T[]): T {
  const name = decodeURIComponent(new URL(request.url).pathname.split('/').filter(Boolean).at(-1) ?? '')
  const found = resources.find(({ id }) => id.toLowerCase() === name.toLowerCase())
  if (!found) throw new ApiError('404-NOT-FOUND')
  return found
}

export const readResourceType = async ({ request }: Asking) => named(request, resourceTypes(request))

export const readSchema = async ({ request }: Asking) => named(request, schemaResources(request))

/** Bulk and /Me (RFC 7644 §3.11: 501 where it is not supported). */
export const notSupported = (): Promise<never> => Promise.reject(new ApiError('SCIM-8'))
