import { type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, can } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise, type Visibility } from '#lib/caller/scopes/visibility.server'
import type { Db } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { visibleRoles } from '#lib/people/identity/roles.server'
import { type Attributes, type Condition, idAttribute } from '#lib/people/scim/conditions.server'
import { GROUP } from '#lib/people/scim/schema-urns'
import { fullName, versionOf } from '#lib/people/scim/users.server'

/* Roles as groups of users (RFC 7643 §4.2). */

export const scimGroups = (db: Db, caller: Visibility & { id: number }) =>
  visibleRoles(db, caller)
    .leftJoin('external_names as external', (join) =>
      join
        .onRef('external.resource_id', '=', 'roles.id')
        .on('external.owner_id', '=', caller.id)
        .on('external.kind', '=', 'role'),
    )
    .select('external.external_id')

export type ScimGroupRow = Awaited<ReturnType<typeof findScimGroup>>

/** Throws ROLE-0. */
export async function findScimGroup({ caller, db }: ReadContext, id: number) {
  const row = await scimGroups(db, caller).where('roles.id', '=', id).executeTakeFirst()
  if (!row) throw new ApiError('ROLE-0')
  return row
}

/** Whether the caller sees who is in a group. */
export const seesMembers = (caller: Caller): boolean => can(caller, kinds.user.readers)

/** The visible users of these roles. */
const membersIn = (db: Db, caller: Caller, roles: readonly number[]) =>
  db
    .selectFrom('users')
    .where('users.role_id', 'in', roles)
    .where(seesEnterprise(caller, 'users.enterprise_id'))

export type Member = { id: number; role_id: number; display: string }

export async function membersOf({ caller, db }: ReadContext, roles: readonly number[]): Promise<Member[]> {
  if (roles.length === 0 || !seesMembers(caller)) return []
  const rows = await membersIn(db, caller, roles)
    .select(['users.id', 'users.role_id', 'users.name', 'users.surname'])
    .orderBy('users.id')
    .execute()
  return rows.map(({ id, role_id, ...names }) => ({ id, role_id, display: fullName(names) }))
}

/** The ids of the members of a group that meet a condition. */
export async function memberIds(
  { caller, db }: ReadContext,
  role: number,
  condition?: Condition,
): Promise<number[]> {
  if (!seesMembers(caller)) return []
  const rows = await membersIn(db, caller, [role])
    .$if(condition !== undefined, (members) => members.where(condition ?? sql<SqlBool>`1 = 1`))
    .select('users.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** What the versions of groups depend on besides their names: their members, without reading each. */
export async function memberSums(
  { caller, db }: ReadContext,
  roles: readonly number[],
): Promise<Map<number, string>> {
  if (roles.length === 0 || !seesMembers(caller)) return new Map()
  const rows = await membersIn(db, caller, roles)
    .groupBy('users.role_id')
    .select([
      'users.role_id',
      sql<string>`count(*)`.as('members'),
      sql<string>`sum(users.id)`.as('ids'),
      sql<string>`sum((users.id % 1000003) * (users.id % 1000003))`.as('squares'),
    ])
    .execute()
  return new Map(rows.map(({ role_id, members, ids, squares }) => [role_id, `${members} ${ids} ${squares}`]))
}

export const memberResource = ({ id, display }: Omit<Member, 'role_id'>, base: string) => ({
  value: String(id),
  $ref: `${base}/Users/${id}`,
  display,
  type: 'User',
})

type Shown = { base: string; sum: string | undefined; members?: readonly Member[] | undefined }

export const groupVersion = (row: ScimGroupRow, sum: string | undefined): string =>
  versionOf([row.id, row.name, row.external_id, sum])

/** Without `members` if the client does not ask for them. */
export const groupResource = (row: ScimGroupRow, { base, sum, members }: Shown) => ({
  schemas: [GROUP],
  id: String(row.id),
  ...(row.external_id !== null && { externalId: row.external_id }),
  displayName: row.name,
  ...(members && { members: members.map((member) => memberResource(member, base)) }),
  meta: {
    resourceType: 'Group',
    location: `${base}/Groups/${row.id}`,
    version: groupVersion(row, sum),
  },
})

/** The attributes of the members of a group. */
export const memberAttributes: Attributes = {
  value: idAttribute('users.id'),
  display: { type: 'text', value: sql`trim(users.name_key)` },
  type: { type: 'text', value: sql`'user'` },
}

/** Each search of members reads those of all groups. */
const MOST_SEARCHES = 10

/** The attributes of groups that filters and `sortBy` may name. */
export function groupAttributes(caller: Caller): Attributes {
  let searches = 0
  const some = (condition: (of: Attributes) => Condition): Condition => {
    searches += 1
    if (searches > MOST_SEARCHES)
      throw new ApiError(
        fault('SCIM-0', `The filter is not supported: it searches members more than ${MOST_SEARCHES} times`),
      )
    return seesMembers(caller)
      ? sql`exists (select 1 from users where users.role_id = roles.id
          and ${seesEnterprise(caller, 'users.enterprise_id')} and ${condition(memberAttributes)})`
      : sql`1 = 0`
  }
  return {
    id: idAttribute('roles.id'),
    externalid: {
      type: 'text',
      value: sql.ref('external.external_id'),
      isExact: true,
      equal: (text) =>
        sql`roles.id in (select resource_id from external_names where owner_id = ${caller.id} and kind = 'role' and external_id = ${text})`,
    },
    displayname: {
      type: 'text',
      value: sql.ref('roles.name_key'),
      equal: (text) => sql`roles.name_key = ${text}`,
    },
    members: { type: 'rows', some, of: memberAttributes },
    'members.value': { type: 'rows', some, of: memberAttributes },
    'members.display': {
      type: 'rows',
      some: (condition) => some((of) => condition({ value: of.display ?? idAttribute('users.id') })),
      of: memberAttributes,
    },
    'meta.resourcetype': { type: 'text', value: sql`'group'` },
  }
}
