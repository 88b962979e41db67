import { pageQuery } from '#lib/http/paging'
import { createTemplate, templateReferences } from '#lib/machines/template-changes.server'
import { templateInput, templateOrders } from '#lib/machines/templates.schema'
import { listTemplates, requireLibrary } from '#lib/machines/templates.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { enterprise: 'EN-0', datacenter: 'DC-0' } as const

export const GET = reads(
  {
    summary: 'List the virtual machine templates that an enterprise can use in a datacenter',
    anyOf: ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY'],
    ids,
    query: pageQuery(...templateOrders),
    answers: 'virtualmachinetemplates',
  },
  (context) => listTemplates(context, context.params, context.query),
)

export const POST = writes(
  {
    summary: 'Create a virtual machine template',
    anyOf: ['APPLIB_ALLOW_MODIFY'],
    ids,
    exists: requireLibrary,
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
