import { scopeReference } from '#lib/caller/scopes/scopes.server'
import { createTemplate } from '#lib/cloud/machines/template-changes.server'
import { templateInput } from '#lib/cloud/machines/templates.schema'
import { libraryTarget, listTemplates } from '#lib/cloud/machines/templates.server'
import { nameQuery } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listTemplates, {
  summary: 'List the virtual machine templates that an enterprise can use in a datacenter',
  who: { anyOf: ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY'] },
  target: libraryTarget,
  query: nameQuery.extend({ tag }),
  asOf: true,
  answers: { as: 'virtualmachinetemplates' },
})

export const POST = writes(createTemplate, {
  summary: 'Create a virtual machine template',
  who: { anyOf: ['APPLIB_ALLOW_MODIFY'], ownAccount: 'never' },
  target: libraryTarget,
  takes: { as: 'virtualmachinetemplate', body: templateInput, references: scopeReference },
  answers: { as: 'virtualmachinetemplate' },
  event: 'virtualmachinetemplate',
  refuses: ['SCOPE-1'],
})
