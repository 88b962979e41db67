import { type SqlBool, sql } from 'kysely'
import { type Caller, can } from '#lib/caller/auth/privileges'
import { linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import { database } from '#lib/db/db.server'
import { link } from '#lib/ground/http/view'
import { KEPT } from '#lib/people/scim/refusals.server'
import type { ScimStatus } from '#lib/people/scim/status.schema'
import { scimBase } from '#lib/people/scim/users.server'
import type { Context } from '#lib/record/events/operation.server'

const MOST_TOKENS = 100

/** The caller, and the users whom they may read and see. */
const isSeen = (caller: Caller) =>
  can(caller, kinds.user.readers)
    ? seesEnterprise(caller, 'users.enterprise_id')
    : sql<SqlBool>`users.id = ${caller.id}`

const when = (moment: number): string => new Date(moment).toISOString()

type Owner = { user_id: number; enterprise_id: number; nick: string }

const userLink = ({ user_id: id, enterprise_id: enterprise, nick }: Owner) =>
  linkTo(kinds.user, { enterprise, id }, nick)

export async function readScimStatus({
  caller,
  request,
}: Pick<Context, 'caller' | 'request'>): Promise<ScimStatus> {
  const { read } = database()
  const tokens = await read
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .where('access_tokens.scim_used', 'is not', null)
    .where(isSeen(caller))
    .select(['access_tokens.id', 'access_tokens.name', 'access_tokens.expires_at', 'access_tokens.scim_used'])
    .select(['users.id as user_id', 'users.enterprise_id', 'users.nick'])
    .orderBy('access_tokens.scim_used', 'desc')
    .limit(MOST_TOKENS)
    .execute()
  const refusals = await read
    .selectFrom('scim_refusals')
    .innerJoin('users', 'users.id', 'scim_refusals.user_id')
    .leftJoin('access_tokens', 'access_tokens.id', 'scim_refusals.token_id')
    .where(isSeen(caller))
    .select(['scim_refusals.id', 'refused_at', 'method', 'route', 'status', 'code', 'message'])
    .select(['access_tokens.name as token', 'users.id as user_id', 'users.enterprise_id', 'users.nick'])
    .orderBy('scim_refusals.id', 'desc')
    .limit(KEPT)
    .execute()
  return {
    links: [],
    address: scimBase(request),
    tokens: tokens.map((row) => ({
      links: [
        link(
          'accesstoken',
          pathOf(kinds.accesstoken, { enterprise: row.enterprise_id, user: row.user_id, id: row.id }),
          'accesstoken',
          row.name,
        ),
        userLink(row),
      ],
      id: row.id,
      name: row.name,
      user: row.nick,
      lastUsed: when(row.scim_used ?? 0),
      expires: when(row.expires_at),
    })),
    refusals: refusals.map((row) => ({
      links: [userLink(row)],
      id: row.id,
      refused: when(row.refused_at),
      user: row.nick,
      ...(row.token !== null && { token: row.token }),
      method: row.method,
      path: row.route,
      status: row.status,
      code: row.code,
      message: row.message,
    })),
  }
}
