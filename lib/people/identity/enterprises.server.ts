import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise, seesScope } from '#lib/caller/scopes/visibility.server'
import type { Db, Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { namedList } from '#lib/db/list.server'
import { insertRow } from '#lib/db/unique.server'
import { type Csv, fields, linked } from '#lib/ground/http/csv'
import { ApiError } from '#lib/ground/http/errors'
import type { NamePaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link, linkIf } from '#lib/ground/http/view'
import type { EnterpriseDocument } from '#lib/people/identity/identity.schema'

const visibleEnterprises = (db: Db, caller: Caller) =>
  db
    .selectFrom('enterprises')
    .leftJoin('scopes', (join) =>
      join.onRef('scopes.id', '=', 'enterprises.default_scope_id').on(seesScope(caller, 'scopes.id')),
    )
    .where(seesEnterprise(caller, 'enterprises.id'))
    .select([
      'enterprises.id',
      'enterprises.name',
      'enterprises.two_factor_mandatory',
      'scopes.id as scope_id',
      'scopes.name as scope_name',
    ])

export type EnterpriseRow = Awaited<ReturnType<typeof findEnterprise>>

/** The enterprise, if the caller sees it. Throws EN-0. */
export async function findEnterprise({ caller, db }: ReadContext, id: number) {
  return visibleEnterprises(db, caller)
    .where('enterprises.id', '=', id)
    .executeTakeFirstOrThrow(() => new ApiError('EN-0'))
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
    name: row.name,
    twoFactorAuthenticationMandatory: row.two_factor_mandatory === 1,
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
  ],
}

/** `idScope`: only enterprises with this default scope, if the caller sees that scope. */
export const listEnterprises = (
  { caller }: ReadContext,
  paging: NamePaging & { idScope?: number },
): Promise<Listing> =>
  namedList({
    table: 'enterprises',
    from: (db) =>
      visibleEnterprises(db, caller).$if(paging.idScope !== undefined, (query) =>
        query.where('scopes.id', '=', paging.idScope ?? 0),
      ),
    paging,
    views: (rows) => rows.map(enterpriseView),
    path: collectionOf(kinds.enterprise),
  })

export async function insertEnterprise(
  trx: Trx,
  {
    name,
    scopeId,
    twoFactorMandatory = false,
  }: { name: string; scopeId: number; twoFactorMandatory?: boolean },
): Promise<number> {
  return insertRow(trx, 'enterprises', {
    name,
    name_key: fold(name),
    default_scope_id: scopeId,
    two_factor_mandatory: twoFactorMandatory ? 1 : 0,
    properties: '{}',
  })
}
