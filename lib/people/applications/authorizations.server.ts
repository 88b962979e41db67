import { isCaller } from '#lib/caller/auth/caller.server'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { revokeAccessToken } from '#lib/caller/oauth/tokens.server'
import { list } from '#lib/db/list.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Paging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import type { AuthorizationDocument } from '#lib/people/applications/applications.schema'
import type { Note } from '#lib/record/events/operation.server'

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

/** Throws OAUTH-2. */
async function findAuthorization({ caller, db }: ReadContext, path: { authorization: number }) {
  return db
    .selectFrom('oauth_tokens')
    .innerJoin('applications', 'applications.id', 'oauth_tokens.application_id')
    .where('oauth_tokens.id', '=', path.authorization)
    .where('oauth_tokens.user_id', '=', caller.id)
    .where('oauth_tokens.expires_at', 'is', null)
    .select(['oauth_tokens.id', 'applications.id as application_id', 'applications.name'])
    .executeTakeFirstOrThrow(() => new ApiError('OAUTH-2'))
}

export const authorizationTarget = {
  ids: { authorization: 'OAUTH-2' },
  find: findAuthorization,
  seenBy: isCaller,
} as const

/** Revokes the application's token and every session started with it. */
export async function revokeAuthorization({
  db,
  found: { id, application_id, name },
  note,
}: WriteContext & { found: Awaited<ReturnType<typeof findAuthorization>>; note: Note }): Promise<void> {
  await revokeAccessToken(db, id)
  note('application', { type: 'application', id: application_id, name }, undefined)
}
