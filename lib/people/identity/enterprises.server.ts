import type { ReadContext } from '#lib/caller/auth/context.server'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  seenWithScope,
  seesEnterprise,
  seesScope,
  type Visibility,
  visibilityOf,
} from '#lib/caller/scopes/visibility.server'
import type { Db, Trx } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import { statement } from '#lib/db/statements.server'
import { insertRow } from '#lib/db/unique.server'
import { type Csv, fields, linked, noteColumns } from '#lib/ground/http/csv'
import { ApiError } from '#lib/ground/http/errors'
import type { ChangedPaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link, linkIf } from '#lib/ground/http/view'
import {
  type EnterpriseDocument,
  type EnterpriseFields,
  enterpriseFields,
} from '#lib/people/identity/identity.schema'

export const enterpriseColumns = columns(kinds.enterprise, enterpriseFields, {
  twoFactorAuthenticationMandatory: 'two_factor_mandatory',
})

export const visibleEnterprises = (db: Db, caller: Visibility) =>
  db
    .selectFrom('enterprises')
    .leftJoin('scopes', (join) =>
      join.onRef('scopes.id', '=', 'enterprises.default_scope_id').on(seesScope(caller, 'scopes.id')),
    )
    .where(seesEnterprise(caller, 'enterprises.id'))
    .select([
      'enterprises.id',
      ...enterpriseColumns.select,
      'scopes.id as scope_id',
      'scopes.name as scope_name',
    ])

export type EnterpriseRow = Awaited<ReturnType<typeof findEnterprise>>

type Wanted = { id: number; visibility: Visibility }

const visibleEnterprise = statement('whole enterprise', (db, { id, visibility }: Wanted) =>
  visibleEnterprises(db, visibility).where('enterprises.id', '=', id),
)

/** The enterprise, if the caller sees it. Throws EN-0. */
export async function findEnterprise({ caller, db }: ReadContext, id: number) {
  const [enterprise] = await visibleEnterprise(db, { id, visibility: visibilityOf(caller) })
  if (!enterprise) throw new ApiError('EN-0')
  return enterprise
}

export const enterpriseView = (row: EnterpriseRow): EnterpriseDocument => {
  const path = pathOf(kinds.enterprise, { id: row.id })
  return {
    links: [
      link('edit', path, 'enterprise', row.name),
      link('users', `${path}/users`, 'users'),
      ...linkIf(row.scope_id, linkTo(kinds.scope, { id: row.scope_id }, row.scope_name)),
      link(
        'virtualdatacenters',
        `${collectionOf(kinds.virtualdatacenter)}?enterprise=${row.id}`,
        'virtualdatacenters',
      ),
      link('properties', `${path}/properties`, 'enterpriseproperties'),
    ],
    id: row.id,
    ...enterpriseColumns.read(row),
  }
}

export const enterpriseTarget = {
  ids: { enterprise: 'EN-0' },
  find: (context: ReadContext, { enterprise }: { enterprise: number }) => findEnterprise(context, enterprise),
  view: enterpriseView,
} as const

export const enterpriseCsv: Csv<EnterpriseDocument> = {
  filename: 'enterprises',
  columns: [
    ...fields<EnterpriseDocument>('id', 'name', 'twoFactorAuthenticationMandatory'),
    ...linked('scope'),
    ...noteColumns,
  ],
}

/** `idScope`: only enterprises with this default scope, if the caller sees that scope. */
export const listEnterprises = (
  { caller }: ReadContext,
  paging: ChangedPaging & { idScope?: number },
): Promise<Listing> =>
  namedList({
    table: 'enterprises',
    from: (db, { visibility, scope }) =>
      visibleEnterprises(db, visibility).$if(scope !== undefined, (query) =>
        query.where('scopes.id', '=', scope ?? 0),
      ),
    once: { name: 'enterprises', values: { visibility: visibilityOf(caller), scope: paging.idScope } },
    paging,
    seen: seenWithScope(caller, 'default_scope_id'),
    views: (rows) => rows.map(enterpriseView),
    path: collectionOf(kinds.enterprise),
  })

type NewEnterprise = Partial<EnterpriseFields> & { name: string; scopeId: number }

export const insertEnterprise = (trx: Trx, { scopeId, ...fields }: NewEnterprise): Promise<number> =>
  insertRow(trx, 'enterprises', {
    ...enterpriseColumns.written(fields),
    default_scope_id: scopeId,
    properties: '{}',
  })
