import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Privilege } from '#lib/caller/auth/privileges'

/*
 * The users who see a resource or hold a privilege: the inverse of visibility.server.ts, as conditions on users. `holding` is the scope
 * that applies to the user.
 */

type Condition = RawBuilder<SqlBool>

/** The scope that applies to a user: their own, or the default of their enterprise. */
export const effectiveScope = sql<number>`coalesce(users.scope_id, enterprises.default_scope_id)`

/** Users whose role has one of the privileges. */
export const holdsOneOf = (privileges: readonly Privilege[]): Condition =>
  privileges.length === 0
    ? sql`1 = 0`
    : sql`users.role_id in (select role_id from role_privileges where privilege in (${sql.join(privileges)}))`

export const seesTheDatacenter = (id: number): Condition =>
  sql`(holding.all_datacenters = 1 or holding.id in (select scope_id from scope_entities where datacenter_id = ${id}))`

export const seesTheEnterprise = (id: number): Condition =>
  sql`(holding.all_enterprises = 1 or users.enterprise_id = ${id}
    or holding.id in (select scope_id from scope_entities where enterprise_id = ${id}))`

/** Users of the scope or of one above it, and those unlimited in one dimension if the scope is a root like theirs. */
export const seesTheScope = (id: number): Condition =>
  sql`((holding.all_datacenters = 1 and holding.all_enterprises = 1) or holding.id in (
    with recursive upwards (id, parent_id) as (
      select id, parent_id from scopes where id = ${id}
      union select above.id, above.parent_id from scopes above join upwards on above.id = upwards.parent_id
    ) select id from upwards)
    or (holding.all_datacenters + holding.all_enterprises = 1 and exists (
      select 1 from scopes wanted where wanted.id = ${id} and wanted.parent_id is null
        and wanted.all_datacenters = holding.all_datacenters and wanted.all_enterprises = holding.all_enterprises)))`
