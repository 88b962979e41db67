import { type SelectQueryBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, can } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Db, database } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { queryFaults } from '#lib/ground/http/issues'
import { type Attributes, conditionOf, isSelective, orderOf } from '#lib/people/scim/conditions.server'
import {
  groupAttributes,
  groupResource,
  memberSums,
  membersOf,
  type ScimGroupRow,
  scimGroups,
} from '#lib/people/scim/groups.server'
import { type ListQuery, listQuery, type Message, type Projection } from '#lib/people/scim/list-query.schema'
import { isWanted, projected } from '#lib/people/scim/projection'
import { LIST } from '#lib/people/scim/schema-urns'
import { scimBase, scimUsers, userAttributes, userResource } from '#lib/people/scim/users.server'

/* Lists and searches (RFC 7644 §3.4.2, §3.4.3). The database filters, sorts, counts and cuts the page. */

export type Asking = { caller: Caller; request: Exchange }
type Page = { total: number; resources: object[] }

/** A message of a list (RFC 7644 §3.4.2). */
export const listResponse = ({ total, resources }: Page, startIndex = 1): object => ({
  schemas: [LIST],
  totalResults: total,
  itemsPerPage: resources.length,
  startIndex,
  Resources: resources,
})

type Source<DB, TB extends keyof DB, Row> = {
  from: (db: Db) => SelectQueryBuilder<DB, TB, Row>
  id: string
  attributes: Attributes
  views: (rows: Row[], db: Db) => object[] | Promise<object[]>
}

type Window = ListQuery & { isLenient?: boolean }

async function pageOf<DB, TB extends keyof DB, Row>(
  { from, id, attributes, views }: Source<DB, TB, Row>,
  { filter, sortBy, sortOrder, startIndex = 1, count, isLenient = false }: Window,
): Promise<Page> {
  const condition = conditionOf(filter, { attributes, isLenient })
  const order = orderOf(sortBy, { attributes, isLenient })
  const { read, scan } = database()
  const db = isSelective(filter, attributes) ? read : scan
  const selected = from(db).where(condition)
  const total = await totalOf(selected)
  if (count === 0 || startIndex > total) return { total, resources: [] }
  const direction = sortOrder === 'descending' ? 'desc' : 'asc'
  const rows = await order
    .reduce((query, column) => query.orderBy(column, direction), selected)
    .orderBy(sql.ref(id))
    .limit(count)
    .offset(startIndex - 1)
    .execute()
  return { total, resources: rows.length === 0 ? [] : await views(rows as Row[], db) }
}

async function totalOf<DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const [counted] = await rows.clearSelect().select(sql<number>`count(*)`.as('total')).execute()
  return Number((counted as { total: number } | undefined)?.total)
}

const pageOfUsers = ({ caller, request }: Asking, query: Window): Promise<Page> =>
  pageOf(
    {
      from: (db) => scimUsers(db, caller, caller.id),
      id: 'users.id',
      attributes: userAttributes(caller.id),
      views: (rows) => rows.map((row) => projected(userResource(row, scimBase(request)), query)),
    },
    query,
  )

const pageOfGroups = ({ caller, request }: Asking, query: Window): Promise<Page> =>
  pageOf(
    {
      from: (db) => scimGroups(db, caller),
      id: 'roles.id',
      attributes: groupAttributes(caller),
      views: (rows, db) => groupViews({ caller, db }, { rows, query, base: scimBase(request) }),
    },
    query,
  )

export async function groupViews(
  context: ReadContext,
  { rows, query, base }: { rows: readonly ScimGroupRow[]; query: Projection; base: string },
): Promise<object[]> {
  const ids = rows.map(({ id }) => id)
  const sums = await memberSums(context, ids)
  const all = isWanted('members', query) ? await membersOf(context, ids) : undefined
  const byGroup = all && Map.groupBy(all, ({ role_id }) => role_id)
  return rows.map((row) =>
    projected(
      groupResource(row, {
        base,
        sum: sums.get(row.id),
        members: byGroup && (byGroup.get(row.id) ?? []),
      }),
      query,
    ),
  )
}

type Listed = Asking & { query: ListQuery }
type Searched = Asking & { body: Message }

/** Throws GEN-22. */
function searchOf(body: Message): ListQuery {
  const parsed = listQuery.safeParse(body)
  if (!parsed.success) throw new ApiError(queryFaults(parsed.error.issues))
  return parsed.data
}

export const listScimUsers = async (asking: Listed) =>
  listResponse(await pageOfUsers(asking, asking.query), asking.query.startIndex)

export const searchScimUsers = (asking: Searched) =>
  listScimUsers({ ...asking, query: searchOf(asking.body) })

export const listScimGroups = async (asking: Listed) =>
  listResponse(await pageOfGroups(asking, asking.query), asking.query.startIndex)

export const searchScimGroups = (asking: Searched) =>
  listScimGroups({ ...asking, query: searchOf(asking.body) })

/** Users and groups in one list, as far as the caller may read them: first the users (RFC 7644 §3.4.2.1). */
export async function listAll(asking: Listed): Promise<object> {
  const { startIndex = 1, count } = asking.query
  const query = { ...asking.query, isLenient: true }
  const none: Page = { total: 0, resources: [] }
  const users = can(asking.caller, kinds.user.readers) ? await pageOfUsers(asking, query) : none
  const rest = count - users.resources.length
  const window = { ...query, startIndex: Math.max(startIndex - users.total, 1), count: rest }
  const groups = can(asking.caller, kinds.role.readers) ? await pageOfGroups(asking, window) : none
  const total = users.total + groups.total
  return listResponse({ total, resources: [...users.resources, ...groups.resources] }, startIndex)
}

export const searchAll = (asking: Searched) => listAll({ ...asking, query: searchOf(asking.body) })
