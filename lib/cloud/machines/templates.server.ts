import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  requireEnterprise,
  seesEnterprise,
  seesScope,
  type Visibility,
} from '#lib/caller/scopes/visibility.server'
import { findDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import {
  type TemplateDocument,
  type TemplateFields,
  templateFields,
} from '#lib/cloud/machines/templates.schema'
import type { Db, Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { namedList } from '#lib/db/list.server'
import { insertRow } from '#lib/db/unique.server'
import { ApiError, gather } from '#lib/ground/http/errors'
import type { TaggedPaging } from '#lib/ground/http/paging'
import { link, linkIf } from '#lib/ground/http/view'

export const templateColumns = columns(kinds.virtualmachinetemplate, templateFields, {})

/** True if the scope contains the enterprise. Each argument is an id or a column of ids. */
export const sharedWith = (
  scope: number | string | null,
  enterprise: number | string,
): RawBuilder<SqlBool> => {
  const value = (of: number | string | null) => (typeof of === 'string' ? sql.ref(of) : sql`${of}`)
  return sql`exists (select 1 from scopes as sharing where sharing.id = ${value(scope)} and (sharing.all_enterprises = 1
    or exists (select 1 from scope_entities as shared
      where shared.scope_id = sharing.id and shared.enterprise_id = ${value(enterprise)})))`
}

/** The enterprise's own templates, and those that other enterprises share with it through a scope. */
const usableBy = (enterprise: number): RawBuilder<SqlBool> =>
  sql`(templates.enterprise_id = ${enterprise} or ${sharedWith('templates.scope_id', enterprise)})`

export type Library = { enterprise: number; datacenter: number }

/** A template that machines of this enterprise may use in this datacenter. Throws TEMPLATE-0. */
export async function findUsableTemplate(db: Db, { enterprise, datacenter }: Library, id: number) {
  return db
    .selectFrom('templates')
    .where('id', '=', id)
    .where('datacenter_id', '=', datacenter)
    .where(usableBy(enterprise))
    .select('id')
    .executeTakeFirstOrThrow(() => new ApiError('TEMPLATE-0'))
}

/** A template of the past that a caller does not see as its owner: it is shared with the enterprise now too. */
export const isStillShared = (caller: Visibility, enterprise: number | string): RawBuilder<SqlBool> =>
  caller.inPast
    ? sql`(${seesEnterprise(caller, 'templates.enterprise_id')} or exists (
        select 1 from present_templates as now join present_scopes as sharing on sharing.id = now.scope_id
        where now.id = templates.id and (sharing.all_enterprises = 1 or exists (
          select 1 from present_scope_entities as shared where shared.scope_id = sharing.id
            and shared.enterprise_id = ${typeof enterprise === 'string' ? sql.ref(enterprise) : enterprise}))))`
    : sql`1 = 1`

const templatesOf = (db: Db, caller: Caller, { enterprise, datacenter }: Library) =>
  db
    .selectFrom('templates')
    .innerJoin('datacenters', 'datacenters.id', 'templates.datacenter_id')
    .leftJoin('enterprises', (join) =>
      join
        .onRef('enterprises.id', '=', 'templates.enterprise_id')
        .on(seesEnterprise(caller, 'enterprises.id')),
    )
    .leftJoin('scopes', (join) =>
      join.onRef('scopes.id', '=', 'templates.scope_id').on(seesScope(caller, 'scopes.id')),
    )
    .where('templates.datacenter_id', '=', datacenter)
    .where(usableBy(enterprise))
    .where(isStillShared(caller, enterprise))
    .select([
      'templates.id',
      ...templateColumns.select,
      'templates.enterprise_id',
      'templates.scope_id',
      'templates.datacenter_id',
      'datacenters.name as datacenter_name',
      'enterprises.id as owner_id',
      'enterprises.name as owner_name',
      'scopes.id as visible_scope_id',
      'scopes.name as scope_name',
    ])

type TemplatePath = Library & { virtualmachinetemplate: number }

/** The templates of an enterprise in a datacenter. Throws EN-0, DC-0. */
async function findLibrary(context: ReadContext, { enterprise, datacenter }: Library): Promise<Library> {
  await gather(requireEnterprise(context, enterprise), findDatacenter(context, datacenter))
  return { enterprise, datacenter }
}

export const libraryTarget = { ids: { enterprise: 'EN-0', datacenter: 'DC-0' }, find: findLibrary } as const

export type TemplateRow = Awaited<ReturnType<typeof findTemplate>>

/** A template of the enterprise, or one that is shared with it. Throws EN-0, DC-0, TEMPLATE-0. */
export async function findTemplate(context: ReadContext, path: TemplatePath) {
  const library = await findLibrary(context, path)
  const found = await templatesOf(context.db, context.caller, path)
    .where('templates.id', '=', path.virtualmachinetemplate)
    .executeTakeFirstOrThrow(() => new ApiError('TEMPLATE-0'))
  return { ...found, library }
}

const libraryPath = ({ enterprise, datacenter }: Library): string =>
  collectionOf(kinds.virtualmachinetemplate, { enterprise, datacenter })

/** For callers who do not see the owner of a shared template, it belongs to the enterprise with which it is shared. */
export const templateView = (row: TemplateRow): TemplateDocument => ({
  links: [
    link(
      'edit',
      `${libraryPath({ ...row.library, enterprise: row.owner_id ?? row.library.enterprise })}/${row.id}`,
      'virtualmachinetemplate',
      row.name,
    ),
    ...linkIf(row.owner_id, linkTo(kinds.enterprise, { id: row.owner_id }, row.owner_name)),
    linkTo(kinds.datacenter, { id: row.datacenter_id }, row.datacenter_name),
    ...linkIf(row.visible_scope_id, linkTo(kinds.scope, { id: row.visible_scope_id }, row.scope_name)),
  ],
  id: row.id,
  ...templateColumns.read(row),
})

export const templateTarget = {
  ids: { ...libraryTarget.ids, virtualmachinetemplate: 'TEMPLATE-0' },
  find: findTemplate,
  view: templateView,
} as const

export const listTemplates = ({ caller, found: library, query: paging }: Listed<Library, TaggedPaging>) =>
  namedList({
    table: 'templates',
    from: (db) => templatesOf(db, caller, library),
    paging,
    views: (rows) => rows.map((row) => templateView({ ...row, library })),
    path: libraryPath(library),
  })

type NewTemplate = Partial<TemplateFields> & {
  name: string
  enterpriseId: number
  datacenterId: number
  scopeId?: number | undefined
}

export async function insertTemplate(
  trx: Trx,
  { enterpriseId, datacenterId, scopeId, ...fields }: NewTemplate,
): Promise<number> {
  return insertRow(trx, 'templates', {
    ...templateColumns.written(fields),
    name_key: fold(fields.name),
    enterprise_id: enterpriseId,
    datacenter_id: datacenterId,
    scope_id: scopeId ?? null,
  })
}
