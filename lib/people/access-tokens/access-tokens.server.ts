import { sql } from 'kysely'
import {
  digestOf,
  endAccessToken,
  insertAccessToken,
  newAccessToken,
} from '#lib/caller/auth/access-tokens.server'
import { callerOf, findAnyAccount } from '#lib/caller/auth/caller.server'
import type { Change, ReadContext } from '#lib/caller/auth/context.server'
import { allPrivileges, isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Db, database } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { hasText, list } from '#lib/db/list.server'
import { unlessTaken } from '#lib/db/unique.server'
import { ApiError, type Fault, fault } from '#lib/ground/http/errors'
import { ANY_ID } from '#lib/ground/http/path-ids'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import type {
  AccessTokenDocument,
  AccessTokenInput,
  AccessTokenQuery,
} from '#lib/people/access-tokens/access-tokens.schema'
import { privilegesOfRole } from '#lib/people/identity/roles.server'
import { changeableUserTarget } from '#lib/people/identity/user-changes.server'
import { holdsMore, holdsMoreFault, type Target } from '#lib/people/identity/user-rules.server'
import { SERVICE } from '#lib/people/identity/users.schema'
import type { UserPath } from '#lib/people/identity/users.server'

const tokensOf = (db: Db, user: number) =>
  db
    .selectFrom('access_tokens')
    .where('access_tokens.user_id', '=', user)
    .select(['id', 'name', 'privileges', 'allowed_cidrs', 'created_at', 'expires_at'])
    .select(['last_used', 'last_used_from'])

type TokenRow = Awaited<ReturnType<ReturnType<typeof tokensOf>['executeTakeFirstOrThrow']>>

const ownerPath = ({ visible: { enterprise_id, id } }: Target): string =>
  pathOf(kinds.user, { enterprise: enterprise_id, id })

const namesIn = (privileges: string): Privilege[] => privileges.split(',').filter(isPrivilege)

const when = (moment: number): string => new Date(moment).toISOString()

function tokenView(row: TokenRow, owner: Target, token?: string): AccessTokenDocument {
  const path = ownerPath(owner)
  return {
    links: [
      link('self', `${path}/tokens/${row.id}`, 'accesstoken', row.name),
      link('user', path, 'user', owner.nick),
    ],
    id: row.id,
    name: row.name,
    privileges: namesIn(row.privileges),
    created: when(row.created_at),
    expires: when(row.expires_at),
    allowedCIDRs: JSON.parse(row.allowed_cidrs) as string[],
    ...(row.last_used !== null && { lastUsed: when(row.last_used) }),
    ...(row.last_used_from !== null && { lastUsedFrom: row.last_used_from }),
    ...(token !== undefined && { token }),
  }
}

/** The owner of the tokens: the caller, or a user whom they manage. Throws 403, EN-0, USER-0. */
export const tokenOwner = {
  ids: changeableUserTarget.ids,
  wildcard: changeableUserTarget.wildcard,
  find: changeableUserTarget.find,
  seenBy: changeableUserTarget.seenBy,
  elsewhere: changeableUserTarget.elsewhere,
} as const

type TokenPath = UserPath & { token: number }

/** Throws 403, EN-0, USER-0, TOKEN-0. */
async function findToken(context: ReadContext, path: TokenPath) {
  const owner = await tokenOwner.find(context, path)
  const row = await tokensOf(context.db, owner.id).where('id', '=', path.token).executeTakeFirst()
  if (!row) throw new ApiError('TOKEN-0')
  return { ...row, owner }
}

type Found = Awaited<ReturnType<typeof findToken>>

export const tokenTarget = {
  ids: { ...tokenOwner.ids, token: 'TOKEN-0' },
  wildcard: tokenOwner.wildcard,
  find: findToken,
  seenBy: tokenOwner.seenBy,
  elsewhere: tokenOwner.elsewhere,
  view: (found: Found) => tokenView(found, found.owner),
} as const

export const listTokens = ({
  found: owner,
  query: paging,
}: ReadContext & { found: Target; query: AccessTokenQuery }): Promise<Listing> =>
  list({
    from: (db) =>
      tokensOf(db, owner.id)
        .$if(paging.expired !== undefined, (tokens) =>
          tokens.where('access_tokens.expires_at', paging.expired ? '<=' : '>', Date.now()),
        )
        .where(hasText('access_tokens.name_key', paging.has)),
    orders: {
      name: ['access_tokens.name_key'],
      id: [],
      created: ['access_tokens.created_at'],
      expires: ['access_tokens.expires_at'],
      lastused: [sql`coalesce(access_tokens.last_used, 0)`],
    },
    id: 'access_tokens.id',
    paging,
    views: (rows) => rows.map((row) => tokenView(row, owner)),
    path: `${ownerPath(owner)}/tokens`,
  })

const DAY = 24 * 60 * 60 * 1000
const USUAL = 90 * DAY
const LONGEST = 366 * DAY
/** The mail about the end of a token comes so long before it. */
export const NOTICE = 7 * DAY

/** Users make their own tokens. Tokens of a service account are made by users who manage it and hold no fewer privileges. */
async function makerFaults(context: ReadContext, owner: Target): Promise<Fault[]> {
  if (owner.own) return []
  if (owner.auth_type !== SERVICE)
    return [fault('GEN-15', 'Only users themselves can make their access tokens')]
  if (owner.active === 0 || owner.locked === 1)
    return [fault('GEN-15', 'The service account is disabled or locked, which ends all its access tokens')]
  return (await holdsMore(context, owner)) ? [holdsMoreFault] : []
}

/**
 * Whether the maker of a token of a service account could still make one. The maker may know the token, so it ends before the account
 * has more than they have.
 */
export async function isWithinReachOf(
  maker: number,
  account: number,
  db: Db = database().read,
): Promise<boolean> {
  const row = await findAnyAccount(db, maker)
  if (!row) return false
  const context = { caller: callerOf(row), db }
  try {
    return !(await holdsMore(context, await tokenOwner.find(context, { enterprise: ANY_ID, user: account })))
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function lacking(named: readonly Privilege[], held: ReadonlySet<Privilege>): Fault[] {
  const missing = named.filter((name) => !held.has(name))
  return missing.length === 0
    ? []
    : [fault('GEN-15', `The user does not hold: ${missing.join(', ')}`, 'privileges')]
}

/** Throws GEN-15, TOKEN-1, TOKEN-2. */
export async function createToken({
  caller,
  db,
  found: owner,
  body,
}: Change<Target, AccessTokenInput>): Promise<AccessTokenDocument> {
  const now = Date.now()
  const expires = body.expires === undefined ? now + USUAL : Date.parse(body.expires)
  const held = new Set(await privilegesOfRole(db, owner.role_id))
  const wanted = new Set(body.privileges ?? held)
  const faults = [
    ...(await makerFaults({ caller, db }, owner)),
    ...lacking([...wanted], held),
    ...(expires > now && expires <= now + LONGEST ? [] : [fault('TOKEN-2')]),
  ]
  if (faults.length > 0) throw new ApiError(faults)
  const token = newAccessToken()
  const row = {
    name: body.name,
    privileges: allPrivileges.filter((name) => wanted.has(name)).join(','),
    allowed_cidrs: JSON.stringify(body.allowedCIDRs),
    created_at: now,
    expires_at: expires,
  }
  const id = await unlessTaken(
    'access_tokens',
    'TOKEN-1',
    insertAccessToken(db, {
      ...row,
      user_id: owner.id,
      name_key: fold(body.name),
      digest: digestOf(token),
      created_by: caller.id,
      // The maker of a token for a week knows its end.
      reminded_at: expires <= now + NOTICE ? now : null,
    }),
  )
  return tokenView({ ...row, id, last_used: null, last_used_from: null }, owner, token)
}

/** Revokes the token. Throws GEN-15 for a user who holds more than the caller. */
export async function removeToken({ caller, db, found: { id, owner } }: Change<Found>): Promise<void> {
  if (await holdsMore({ caller, db }, owner)) throw new ApiError(holdsMoreFault)
  await endAccessToken(db, id)
}
