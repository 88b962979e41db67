import { readScimStatus } from '#lib/people/scim/status.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readScimStatus, {
  summary: 'Read the address of SCIM, the access tokens that use it, and the last requests that it refused',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  answers: { as: 'scimstatus' },
})
