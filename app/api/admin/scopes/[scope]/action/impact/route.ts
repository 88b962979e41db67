import { reads } from '#lib/pipeline/endpoint.server'
import { impactOf } from '#lib/scopes/impact.server'
import { scopeInput } from '#lib/scopes/scopes.schema'
import { scopeTarget } from '#lib/scopes/scopes.server'

export const POST = reads(impactOf, {
  summary: 'Preview a change of the scope, or without a document its deletion',
  who: { anyOf: ['USERS_MANAGE_SCOPES'] },
  target: scopeTarget,
  takes: { as: 'scope', body: scopeInput, optional: true },
  answers: { as: 'scopeimpact', status: 200 },
})
