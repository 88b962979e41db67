import { removeTemplate, templateReferences, updateTemplate } from '#lib/machines/template-changes.server'
import { templateInput } from '#lib/machines/templates.schema'
import { templateTarget } from '#lib/machines/templates.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual machine template',
  anyOf: ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY'],
  target: templateTarget,
  answers: 'virtualmachinetemplate',
})

export const PUT = writes(
  {
    summary: 'Change a virtual machine template',
    anyOf: ['APPLIB_ALLOW_MODIFY'],
    target: templateTarget,
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
    target: templateTarget,
    refuses: ['GEN-15', 'TEMPLATE-1'],
    ownAccount: 'never',
    event: 'virtualmachinetemplate',
  },
  removeTemplate,
)
