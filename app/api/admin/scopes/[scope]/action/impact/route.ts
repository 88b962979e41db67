import { impactOf } from '#lib/caller/scopes/impact.server'
import { scopeInput } from '#lib/caller/scopes/scopes.schema'
import { scopeTarget } from '#lib/caller/scopes/scopes.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const POST = reads(impactOf, {
  summary: 'Preview a change of the scope, or without a document its deletion',
  who: { anyOf: ['USERS_MANAGE_SCOPES'] },
  target: scopeTarget,
  takes: { as: 'scope', body: scopeInput, optional: true },
  answers: { as: 'scopeimpact', status: 200 },
})
