import { pageQuery } from '#lib/http/paging'
import { createTemplate, templateReferences } from '#lib/machines/template-changes.server'
import { templateInput, templateOrders } from '#lib/machines/templates.schema'
import { libraryTarget, listTemplates } from '#lib/machines/templates.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the virtual machine templates that an enterprise can use in a datacenter',
    anyOf: ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY'],
    target: libraryTarget,
    query: pageQuery(...templateOrders),
    answers: 'virtualmachinetemplates',
  },
  listTemplates,
)

export const POST = writes(
  {
    summary: 'Create a virtual machine template',
    anyOf: ['APPLIB_ALLOW_MODIFY'],
    target: libraryTarget,
    takes: 'virtualmachinetemplate',
    body: templateInput,
    references: templateReferences,
    answers: 'virtualmachinetemplate',
    refuses: ['SCOPE-1'],
    ownAccount: 'never',
    event: 'virtualmachinetemplate',
  },
  createTemplate,
)
