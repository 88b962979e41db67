import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { type Caller, can, type Privilege } from '#lib/caller/auth/privileges'
import type { Session } from '#lib/caller/auth/tokens.server'
import { privilegesOfApplication } from '#lib/caller/oauth/applications.server'
import { authorizeToken, dropRequestToken, findRequestToken } from '#lib/caller/oauth/tokens.server'
import type { Db, Trx } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { percentEncode } from '#lib/ground/http/percent-encode'
import type { ConsentDocument } from '#lib/people/applications/applications.schema'
import { aboutUser } from '#lib/people/sign-in/sign-in-events.server'
import { insertEvent } from '#lib/record/events/record.server'

/* The user's decision about an application that requests to act in their name. */

/** The application of a request token that is not answered yet. Throws OAUTH-1. */
async function requestingApplication(db: Db, token: string) {
  const pending = await findRequestToken(token, db)
  if (!pending || pending.user_id !== null) throw new ApiError('OAUTH-1')
  const application = await db
    .selectFrom('applications')
    .innerJoin('users', 'users.id', 'applications.user_id')
    .where('applications.id', '=', pending.application_id)
    .select(['applications.id', 'applications.name', 'applications.description', 'users.nick as owner'])
    .executeTakeFirstOrThrow()
  return { ...application, callback: pending.callback ?? 'oob' }
}

/** The application, its owner and its future privileges: the requested ones that the user holds too. */
export async function readConsent({
  caller,
  db,
  query,
}: ReadContext & { query: { oauth_token: string } }): Promise<ConsentDocument> {
  const { id, name, description, owner, callback } = await requestingApplication(db, query.oauth_token)
  const privileges = await privilegesOfApplication(db, id)
  return {
    links: [],
    application: name,
    description,
    owner,
    privileges: privileges.filter((privilege: Privilege) => can(caller, [privilege])),
    ...(callback !== 'oob' && { returnsTo: new URL(callback).origin }),
  }
}

type Answering = { request: Exchange; caller: Caller; token: string }

/** The address for the answer. The verifier comes last, because clients take everything after `oauth_verifier=`. */
function destination(request: Exchange, callback: string, answer: [name: string, value: string][]): string {
  const base = callback === 'oob' ? `${baseOf(request)}/verifier` : callback
  const query = answer.map(([name, value]) => `${name}=${percentEncode(value)}`).join('&')
  return `${base}${base.includes('?') ? '&' : '?'}${query}`
}

/** Lets the application act for the caller. Returns the address for the verifier. Throws OAUTH-1. */
export async function approve(trx: Trx, { request, caller, token }: Answering): Promise<string> {
  const { id: application, name } = await requestingApplication(trx, token)
  const approved = await authorizeToken(trx, token, caller.id)
  if (!approved) throw new ApiError('OAUTH-1')
  const { id, nick, enterpriseId } = caller
  await insertEvent(trx, {
    request,
    action: 'authorize-application',
    changes: { application: { after: { type: 'application', id: application, name } } },
    ...aboutUser({ id, nick, enterprise_id: enterpriseId }),
  })
  return destination(request, approved.callback, [
    ['oauth_token', token],
    ['oauth_verifier', approved.verifier],
  ])
}

async function deny(trx: Trx, { request, token }: Answering): Promise<string> {
  const row = await dropRequestToken(trx, token)
  if (!row || row.user_id !== null) throw new ApiError('OAUTH-1')
  return destination(request, row.callback ?? 'oob', [['oauth_problem', 'permission_denied']])
}

type Consenting = WriteContext & {
  request: Exchange
  session: Session
  inConsole: boolean
  body: { oauthToken: string; approve: boolean }
}

/** The user's decision on the consent page, accepted only from a console session. */
export async function answerConsent(context: Consenting): Promise<{ links: []; href: string }> {
  const { request, caller, db, inConsole, body } = context
  if (!inConsole) throw new ApiError('403-FORBIDDEN')
  const answering = { request, caller, token: body.oauthToken }
  return { links: [], href: await (body.approve ? approve : deny)(db, answering) }
}
