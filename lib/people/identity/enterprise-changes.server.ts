import { scopesOfAdministrators } from '#lib/caller/auth/administrators.server'
import type { Change, Creation, ReadContext, Referring } from '#lib/caller/auth/context.server'
import { addToOwnScope, removeFromScopes } from '#lib/caller/scopes/entities.server'
import type { scopeReference } from '#lib/caller/scopes/scopes.server'
import { isReferenced } from '#lib/db/references.server'
import { unlessTaken } from '#lib/db/unique.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import {
  type EnterpriseRow,
  enterpriseColumns,
  enterpriseView,
  findEnterprise,
  insertEnterprise,
} from '#lib/people/identity/enterprises.server'
import { isWithinReach } from '#lib/people/identity/grants.server'
import type { EnterpriseInput } from '#lib/people/identity/identity.schema'

/** Users without a scope of their own have the default one. */
async function requireWithinReach(context: ReadContext, scope: number): Promise<void> {
  if (!(await isWithinReach(context, scope)))
    throw new ApiError(fault('USER-19', 'The default scope is wider than the caller’s own scope'))
}

type Naming = Referring<typeof scopeReference>

/** Without a scope link the caller's scope becomes the default. */
export async function createEnterprise({ caller, db, body, references }: Creation<EnterpriseInput> & Naming) {
  const { scope = caller.scope.id } = references
  await requireWithinReach({ caller, db }, scope)
  const id = await unlessTaken(
    'enterprises',
    'ENTERPRISE-4',
    insertEnterprise(db, { ...body, scopeId: scope }),
  )
  await addToOwnScope({ caller, db }, { enterprise: id })
  return enterpriseView(await findEnterprise({ caller, db }, id))
}

/** Without a scope link the default scope stays, because every enterprise has one. */
export async function updateEnterprise({
  caller,
  db,
  found: { id },
  body,
  references: { scope },
}: Change<EnterpriseRow, EnterpriseInput> & Naming): Promise<void> {
  const { default_scope_id: before } = await db
    .selectFrom('enterprises')
    .where('id', '=', id)
    .select('default_scope_id')
    .executeTakeFirstOrThrow()
  const after = scope ?? before
  if (after !== before) await requireMayReplace({ caller, db }, before, after)
  const hasUnlimited = after !== before && (await scopesOfAdministrators(db)).size > 0
  await unlessTaken(
    'enterprises',
    'ENTERPRISE-4',
    db
      .updateTable('enterprises')
      .set({ ...enterpriseColumns.written(body), default_scope_id: after })
      .where('id', '=', id)
      .execute(),
  )
  if (hasUnlimited && (await scopesOfAdministrators(db)).size === 0)
    throw new ApiError(fault('USER-25', undefined, 'scope'))
}

/** A new default scope changes what users hold. Neither scope may be wider than the caller's. */
async function requireMayReplace(context: ReadContext, before: number, after: number): Promise<void> {
  if (!(await isWithinReach(context, before)))
    throw new ApiError(
      fault('GEN-15', 'The users of this default scope have a wider scope than the caller', 'scope'),
    )
  await requireWithinReach(context, after)
}

/** Throws ENTERPRISE-5 while anything belongs to the enterprise. Scopes lose it. */
export async function removeEnterprise({ db, found: { id } }: Change<EnterpriseRow>): Promise<void> {
  const tables = ['users', 'roles', 'virtual_datacenters', 'virtual_machines', 'templates'] as const
  if (await isReferenced(db, { column: 'enterprise_id', id }, tables)) throw new ApiError('ENTERPRISE-5')
  await removeFromScopes(db, 'enterprise_id', id)
  await db.deleteFrom('enterprises').where('id', '=', id).execute()
}
