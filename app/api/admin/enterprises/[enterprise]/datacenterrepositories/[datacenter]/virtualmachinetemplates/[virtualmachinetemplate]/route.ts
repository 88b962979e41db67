import { scopeReference } from '#lib/caller/scopes/scopes.server'
import { removeTemplate, updateTemplate } from '#lib/cloud/machines/template-changes.server'
import { templateInput } from '#lib/cloud/machines/templates.schema'
import { templateTarget } from '#lib/cloud/machines/templates.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual machine template',
  who: { anyOf: ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY'] },
  target: templateTarget,
  asOf: true,
  answers: { as: 'virtualmachinetemplate' },
})

export const PUT = writes(updateTemplate, {
  summary: 'Change a virtual machine template',
  who: { anyOf: ['APPLIB_ALLOW_MODIFY'], ownAccount: 'never' },
  target: templateTarget,
  takes: { as: 'virtualmachinetemplate', body: templateInput, references: scopeReference },
  answers: { as: 'virtualmachinetemplate' },
  event: 'virtualmachinetemplate',
  refuses: ['GEN-15', 'SCOPE-1', 'SCOPE-11'],
})

export const DELETE = writes(removeTemplate, {
  summary: 'Delete a virtual machine template',
  who: { anyOf: ['APPLIB_ALLOW_MODIFY'], ownAccount: 'never' },
  target: templateTarget,
  event: 'virtualmachinetemplate',
  refuses: ['GEN-15', 'TEMPLATE-1'],
})
