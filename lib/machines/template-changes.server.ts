import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import { fold } from '#lib/db/fold'
import { ApiError, fault } from '#lib/http/errors'
import type { TemplateDocument, TemplateInput } from '#lib/machines/templates.schema'
import {
  findTemplate,
  insertTemplate,
  readTemplate,
  sharedWith,
  type TemplatePath,
  type TemplateRow,
} from '#lib/machines/templates.server'
import { findScope } from '#lib/scopes/scopes.server'

/** The scope that the document names, if the caller sees it. Throws SCOPE-1. */
export async function templateReferences(
  asked: ReadContext,
  { links }: Partial<TemplateInput>,
): Promise<{ scope: number | undefined }> {
  if (links?.scope === undefined) return { scope: undefined }
  return { scope: (await findScope(asked, links.scope)).id }
}

export async function createTemplate({
  params,
  body,
  ...asking
}: WriteContext & {
  params: { enterprise: number; datacenter: number }
  body: TemplateInput
}): Promise<TemplateDocument> {
  const { scope } = await templateReferences(asking, body)
  const virtualmachinetemplate = await insertTemplate(asking.db, {
    name: body.name,
    enterpriseId: params.enterprise,
    datacenterId: params.datacenter,
    scopeId: scope,
  })
  return readTemplate({ ...asking, params: { ...params, virtualmachinetemplate } })
}

/** A template that is shared with an enterprise is changed at its owner alone. */
async function findOwnTemplate(asked: ReadContext, path: TemplatePath): Promise<TemplateRow> {
  const template = await findTemplate(asked, path)
  if (template.enterprise_id !== path.enterprise)
    throw new ApiError(fault('GEN-15', 'The template belongs to another enterprise'))
  return template
}

type Changing = WriteContext & { params: TemplatePath }

/** A scope hidden from the caller stays where the document names no other: their copy cannot link it. */
export async function updateTemplate({
  params,
  body,
  ...asking
}: Changing & { body: TemplateInput }): Promise<TemplateDocument> {
  const template = await findOwnTemplate(asking, params)
  const { scope: sent } = await templateReferences(asking, body)
  const hidden = template.visible_scope_id === null ? template.scope_id : null
  const scope = sent ?? hidden
  if (scope !== template.scope_id) await requireUnusedBeyond(asking, template, scope)
  await asking.db
    .updateTable('templates')
    .set({ name: body.name, name_key: fold(body.name), scope_id: scope })
    .where('id', '=', template.id)
    .execute()
  return readTemplate({ ...asking, params })
}

/** Throws SCOPE-11 where a machine of another enterprise would lose its template. */
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
    throw new ApiError(fault('SCOPE-11', message))
  }
}

/** Throws TEMPLATE-1 while machines use it. */
export async function removeTemplate({ params, ...asking }: Changing): Promise<void> {
  const { id } = await findOwnTemplate(asking, params)
  const machine = await asking.db
    .selectFrom('virtual_machines')
    .where('template_id', '=', id)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (machine) throw new ApiError('TEMPLATE-1')
  await asking.db.deleteFrom('templates').where('id', '=', id).execute()
}
