import { removeTemplate, templateReferences, updateTemplate } from '#lib/machines/template-changes.server'
import { templateInput } from '#lib/machines/templates.schema'
import { readTemplate } from '#lib/machines/templates.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { enterprise: 'EN-0', datacenter: 'DC-0', virtualmachinetemplate: 'TEMPLATE-0' } as const

export const GET = reads(
  {
    summary: 'Read a virtual machine template',
    anyOf: ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY'],
    ids,
    answers: 'virtualmachinetemplate',
  },
  readTemplate,
)

export const PUT = writes(
  {
    summary: 'Change a virtual machine template',
    anyOf: ['APPLIB_ALLOW_MODIFY'],
    ids,
    exists: readTemplate,
    takes: 'virtualmachinetemplate',
    body: templateInput,
    references: templateReferences,
    answers: 'virtualmachinetemplate',
    refuses: ['GEN-15', 'SCOPE-1', 'SCOPE-11'],
    ownAccount: 'never',
    event: 'virtualmachinetemplate',
  },
  updateTemplate,
)

export const DELETE = writes(
  {
    summary: 'Delete a virtual machine template',
    anyOf: ['APPLIB_ALLOW_MODIFY'],
    ids,
    exists: readTemplate,
    refuses: ['GEN-15', 'TEMPLATE-1'],
    ownAccount: 'never',
    event: 'virtualmachinetemplate',
  },
  removeTemplate,
)
