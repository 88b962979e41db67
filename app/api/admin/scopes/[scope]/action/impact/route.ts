import { reads } from '#lib/pipeline/endpoint.server'
import { impactOf } from '#lib/scopes/impact.server'
import { scopeInput } from '#lib/scopes/scopes.schema'
import { scopeTarget } from '#lib/scopes/scopes.server'

export const POST = reads(
  {
    summary: 'Preview a change of the scope, or without a document its deletion',
    anyOf: ['USERS_MANAGE_SCOPES'],
    target: scopeTarget,
    takes: 'scope',
    body: scopeInput,
    bodyOptional: true,
    answers: 'scopeimpact',
    status: 200,
  },
  impactOf,
)
