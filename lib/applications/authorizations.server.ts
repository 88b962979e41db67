import type { AuthorizationDocument } from '#lib/applications/applications.schema'
import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import { list } from '#lib/db/list.server'
import type { Note } from '#lib/events/operation.server'
import { ApiError } from '#lib/http/errors'
import type { Paging } from '#lib/http/paging'
import type { Listing } from '#lib/http/render.server'
import { link } from '#lib/http/view'
import { revokeAccessToken } from '#lib/oauth/tokens.server'

const PATH = '/session/authorizations'

export const authorizationOrders = ['since', 'id'] as const

/** The applications that may act in the caller's name. */
export const listAuthorizations = ({
  caller,
  query,
}: ReadContext & { query: Paging<(typeof authorizationOrders)[number]> }): Promise<Listing> =>
  list({
    from: (db) =>
      db
        .selectFrom('oauth_tokens')
        .innerJoin('applications', 'applications.id', 'oauth_tokens.application_id')
        .innerJoin('users', 'users.id', 'applications.user_id')
        .where('oauth_tokens.user_id', '=', caller.id)
        .where('oauth_tokens.expires_at', 'is', null)
        .select(['oauth_tokens.id', 'oauth_tokens.created_at', 'oauth_tokens.last_used'])
        .select(['applications.name', 'users.nick as owner']),
    orders: { since: ['oauth_tokens.created_at'], id: [] },
    id: 'oauth_tokens.id',
    paging: query,
    path: PATH,
    views: (rows) =>
      rows.map(
        (row): AuthorizationDocument => ({
          links: [link('self', `${PATH}/${row.id}`, 'authorization', row.name)],
          id: row.id,
          application: row.name,
          owner: row.owner,
          since: new Date(row.created_at).toISOString(),
          ...(row.last_used !== null && { lastUse: new Date(row.last_used).toISOString() }),
        }),
      ),
  })

/** Revokes the application's token and every session started with it. Throws OAUTH-2. */
export async function revokeAuthorization({
  caller,
  db,
  params,
  note,
}: WriteContext & { params: { authorization: number }; note: Note }): Promise<void> {
  const revoked = await revokeAccessToken(db, params.authorization, caller.id)
  if (!revoked) throw new ApiError('OAUTH-2')
  const application = await db
    .selectFrom('applications')
    .where('id', '=', revoked.application_id)
    .select('name')
    .executeTakeFirstOrThrow()
  note('application', { type: 'application', id: revoked.application_id, name: application.name }, undefined)
}
