import type { Change, Referring, WriteContext } from '#lib/caller/auth/context.server'
import type { scopeReference } from '#lib/caller/scopes/scopes.server'
import type { TemplateInput } from '#lib/cloud/machines/templates.schema'
import {
  findTemplate,
  insertTemplate,
  type Library,
  sharedWith,
  type TemplateRow,
  templateColumns,
  templateView,
} from '#lib/cloud/machines/templates.server'
import { fold } from '#lib/db/fold'
import { isReferenced } from '#lib/db/references.server'
import { ApiError, fault } from '#lib/ground/http/errors'

type Naming = Referring<typeof scopeReference>

export async function createTemplate({
  found: library,
  body,
  references: { scope },
  ...context
}: Change<Library, TemplateInput> & Naming) {
  const virtualmachinetemplate = await insertTemplate(context.db, {
    ...body,
    enterpriseId: library.enterprise,
    datacenterId: library.datacenter,
    scopeId: scope,
  })
  return templateView(await findTemplate(context, { ...library, virtualmachinetemplate }))
}

/** A shared template can be changed only at its own enterprise. */
function requireOwn({ enterprise_id, library }: TemplateRow): void {
  if (enterprise_id !== library.enterprise)
    throw new ApiError(fault('GEN-15', 'The template belongs to another enterprise'))
}

/** A scope hidden from the caller stays where the document names no other: their copy cannot link it. */
export async function updateTemplate({
  found: template,
  body,
  references,
  ...context
}: Change<TemplateRow, TemplateInput> & Naming): Promise<void> {
  requireOwn(template)
  const hidden = template.visible_scope_id === null ? template.scope_id : null
  const scope = references.scope ?? hidden
  if (scope !== template.scope_id) await requireUnusedBeyond(context, template, scope)
  await context.db
    .updateTable('templates')
    .set({ ...templateColumns.written(body), name_key: fold(body.name), scope_id: scope })
    .where('id', '=', template.id)
    .execute()
}

/** Throws SCOPE-11 if a machine of another enterprise would lose its template. */
async function requireUnusedBeyond(
  { db }: WriteContext,
  template: TemplateRow,
  scope: number | null,
): Promise<void> {
  const machine = await db
    .selectFrom('virtual_machines')
    .where('template_id', '=', template.id)
    .where('enterprise_id', '<>', template.enterprise_id)
    .where((on) => on.not(sharedWith(scope, 'virtual_machines.enterprise_id')))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (machine) {
    const message = 'The template cannot leave the scope: virtual machines in another enterprise use it'
    throw new ApiError(fault('SCOPE-11', message, 'scope'))
  }
}

/** Throws TEMPLATE-1 while machines use the template. */
export async function removeTemplate({ db, found: template }: Change<TemplateRow>): Promise<void> {
  requireOwn(template)
  if (await isReferenced(db, { column: 'template_id', id: template.id }, ['virtual_machines']))
    throw new ApiError('TEMPLATE-1')
  await db.deleteFrom('templates').where('id', '=', template.id).execute()
}
