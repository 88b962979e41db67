import { randomInt } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { effectiveScope } from '#lib/caller/scopes/holders.server'
import { findScope } from '#lib/caller/scopes/scopes.server'
import {
  requireEnterprise,
  seenWithScope,
  seesRole,
  seesScope,
  seesUser,
  type Visibility,
  visibilityOf,
} from '#lib/caller/scopes/visibility.server'
import { changedAs, type SeenColumns, seesAmong } from '#lib/db/changed.server'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { fold, lookAlikeKey } from '#lib/db/fold'
import { hasText, isUnfiltered, list } from '#lib/db/list.server'
import { statement } from '#lib/db/statements.server'
import { hasTags } from '#lib/db/tags.server'
import { comesBack, insertRow } from '#lib/db/unique.server'
import { type Csv, fields, linked, tagsColumn } from '#lib/ground/http/csv'
import { endsText } from '#lib/ground/http/ends.schema'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import { ANY_ID } from '#lib/ground/http/path-ids'
import type { Listing } from '#lib/ground/http/render.server'
import { link, linkIf, linkOf } from '#lib/ground/http/view'
import { shownUserFields, type UserDocument } from '#lib/people/identity/identity.schema'
import { nickProblem } from '#lib/people/identity/nick'
import { findRole } from '#lib/people/identity/roles.server'
import { SERVICE, type UserFields, type UserQuery, userFields } from '#lib/people/identity/users.schema'

const names = { allowedCIDRs: 'allowed_cidrs' } as const
export const userColumns = columns(kinds.user, shownUserFields, names)
const ownColumns = columns(kinds.user, userFields, names)

/** `scope`: the scope whose link and name are shown. By default the user's own, not the enterprise's. */
export const visibleUsers = (
  db: Db,
  caller: Visibility,
  scope: RawBuilder<number | null> = sql.ref('users.scope_id'),
) =>
  db
    .selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .leftJoin('roles', (join) => join.onRef('roles.id', '=', 'users.role_id').on(seesRole(caller)))
    .leftJoin('scopes', (join) => join.on('scopes.id', '=', scope).on(seesScope(caller, 'scopes.id')))
    .where(seesUser(caller))
    .select([
      'users.id',
      ...userColumns.select,
      'users.ends_at',
      'users.two_factor_provider',
      'users.enterprise_id',
      'enterprises.name as enterprise_name',
      'users.role_id',
      'roles.name as role_name',
      'scopes.id as scope_id',
      'scopes.name as scope_name',
    ])

export type UserRow = Awaited<ReturnType<typeof findUser>>

/** `enterprise` may be ANY_ID. */
export type UserPath = { enterprise: number; user: number }

type Wanted = { user: number; enterprise: number | undefined; visibility: Visibility }

const visibleUser = statement('user', (db, { user, enterprise, visibility }: Wanted) =>
  visibleUsers(db, visibility)
    .where('users.id', '=', user)
    .$if(enterprise !== undefined, (query) => query.where('users.enterprise_id', '=', enterprise ?? 0)),
)

/** The user, if the caller sees it. Throws USER-0, EN-0. */
export async function findUser({ caller, db }: ReadContext, path: UserPath) {
  const enterprise = path.enterprise === ANY_ID ? undefined : path.enterprise
  if (enterprise !== undefined) await requireEnterprise({ caller, db }, enterprise)
  const [user] = await visibleUser(db, { user: path.user, enterprise, visibility: visibilityOf(caller) })
  if (!user) throw new ApiError('USER-0')
  return user
}

export const userView = (row: UserRow): UserDocument => {
  const path = pathOf(kinds.user, { enterprise: row.enterprise_id, id: row.id })
  const enabled = row.two_factor_provider !== null
  return {
    links: [
      link('edit', path, 'user', row.nick),
      linkTo(kinds.enterprise, { id: row.enterprise_id }, row.enterprise_name),
      linkTo(kinds.role, { id: row.role_id }, row.role_name),
      ...linkIf(row.scope_id, linkTo(kinds.scope, { id: row.scope_id }, row.scope_name)),
      link('virtualmachines', `${path}/action/virtualmachines`, 'virtualmachines'),
      link('pendingtasks', `${path}/action/pendingtasks`, 'tasks'),
      link('applications', `${path}/applications`, 'applications'),
      link('tokens', `${path}/tokens`, 'accesstokens'),
      link('enable2fa', `${path}/action/enable2fa`, 'twofactorauthcredentials'),
      ...(enabled ? [link('disable2fa', `${path}/action/disable2fa`)] : []),
    ],
    id: row.id,
    ...userColumns.read(row),
    ...(row.ends_at !== null && { ends: endsText(row.ends_at) }),
  }
}

export const userTarget = {
  ids: { enterprise: 'EN-0', user: 'USER-0' },
  wildcard: 'enterprise',
  find: findUser,
  view: userView,
} as const

/** The enterprise of a list of users, or ANY_ID. The handler finds it. */
export const usersTarget = {
  ids: { enterprise: 'EN-0' },
  wildcard: 'enterprise',
  seen: async (context: ReadContext, { enterprise }: { enterprise: number }) => {
    if (enterprise !== ANY_ID) await requireEnterprise(context, enterprise)
  },
} as const

/** The caller's own user; `expand=privileges` adds the names of their privileges. */
export async function readSelf({ caller, db }: ReadContext, expand = ''): Promise<UserDocument> {
  const view = userView(await findUser({ caller, db }, { enterprise: ANY_ID, user: caller.id }))
  return expand.split(',').includes('privileges')
    ? { ...view, privileges: [...caller.privileges].sort() }
    : view
}

export const userCsv: Csv<UserDocument> = {
  filename: 'users',
  columns: [
    ...fields<UserDocument>('id', 'nick', 'name', 'surname', 'email', 'description'),
    ...linked('enterprise'),
    ...linked('role'),
    ...linked('scope'),
    ...fields<UserDocument>('active', 'locked', 'firstLogin'),
    { name: 'twoFactor', of: (user) => linkOf(user, 'disable2fa') !== undefined },
    ...fields<UserDocument>('authType', 'locale'),
    { name: 'allowedCIDRs', of: ({ allowedCIDRs }) => allowedCIDRs.join(' ') },
    ...fields<UserDocument>('invited', 'ends'),
    tagsColumn,
  ],
}

/** Without `enterprise`: those of any. */
type Filtered = { visibility: Visibility; enterprise: number | undefined; filters: UserFilters }
type UserFilters = Pick<UserQuery, 'active' | 'locked' | 'twofactor' | 'service' | 'idScope' | 'role'> & {
  endsBefore: number | undefined
}

const filtersOf = (
  { caller }: Pick<ReadContext, 'caller'>,
  enterprise: number,
  { active, locked, twofactor, service, idScope, role, endsbefore }: UserQuery,
): Filtered => ({
  visibility: visibilityOf(caller),
  enterprise: enterprise === ANY_ID ? undefined : enterprise,
  filters: {
    ...{ active, locked, twofactor, service, idScope, role },
    endsBefore: endsbefore === undefined ? undefined : Date.parse(endsbefore),
  },
})

/** The visible users of an enterprise, or of any, that match the filters. */
const filtered = (
  on: Db,
  {
    visibility,
    enterprise,
    filters: { active, locked, twofactor, service, idScope, role, endsBefore },
  }: Filtered,
  has: string,
) =>
  visibleUsers(on, visibility)
    .$if(enterprise !== undefined, (users) => users.where('users.enterprise_id', '=', enterprise ?? 0))
    .$if(active !== undefined, (users) => users.where('users.active', '=', active ? 1 : 0))
    .$if(locked !== undefined, (users) => users.where('users.locked', '=', locked ? 1 : 0))
    .$if(twofactor !== undefined, (users) =>
      users.where('users.two_factor_provider', twofactor ? 'is not' : 'is', null),
    )
    .$if(service !== undefined, (users) => users.where('users.auth_type', service ? '=' : '<>', SERVICE))
    .$if(idScope !== undefined, (users) => users.where('users.scope_id', '=', idScope ?? 0))
    .$if(role !== undefined, (users) => users.where('users.role_id', '=', role ?? 0))
    .$if(endsBefore !== undefined, (users) => users.where('users.ends_at', '<', endsBefore ?? 0))
    .where(hasText('users.search_key', has))

/** Throws EN-0, SCOPE-1, ROLE-0. */
async function requireFilters(context: ReadContext, enterprise: number, { idScope, role }: UserQuery) {
  if (enterprise !== ANY_ID) await requireEnterprise(context, enterprise)
  if (idScope !== undefined) await findScope(context, idScope)
  if (role !== undefined) await findRole(context, role)
}

function seenColumns(caller: Visibility): SeenColumns | undefined {
  const scopes = seenWithScope(caller, 'scope_id')
  return (
    scopes && { ...scopes, role_id: seesAmong(sql`select roles.id from roles where ${seesRole(caller)}`) }
  )
}

/** The ids of all users that match the query of their list, by id. */
export async function matchingUsers(
  context: ReadContext,
  enterprise: number,
  query: UserQuery,
): Promise<() => Promise<number[]>> {
  await requireFilters(context, enterprise, query)
  return async () => {
    const rows = await filtered(database().scan, filtersOf(context, enterprise, query), query.has)
      .where(changedAs('users.id', query.changed, seenColumns(context.caller)))
      .where(hasTags('users.id', query.tag))
      .clearSelect()
      .select('users.id')
      .orderBy('users.id')
      .execute()
    return rows.map(({ id }) => id)
  }
}

/** The nicks of those among these users that the caller sees. */
export const namesOfUsers = ({ caller, db }: ReadContext, enterprise: number, ids: number[]) =>
  visibleUsers(db, caller)
    .$if(enterprise !== ANY_ID, (users) => users.where('users.enterprise_id', '=', enterprise))
    .where('users.id', 'in', ids)
    .clearSelect()
    .select(['users.id', 'users.nick as name'])
    .execute()

/** `idScope` selects users with this scope of their own. Throws EN-0, SCOPE-1, ROLE-0. */
export async function listUsers(
  context: ReadContext,
  enterprise: number,
  query: UserQuery,
): Promise<Listing> {
  await requireFilters(context, enterprise, query)
  const values = filtersOf(context, enterprise, query)
  const isWhole = values.visibility.scope.allEnterprises && values.enterprise === undefined
  return list({
    from: (on, values) => filtered(on, values, query.has),
    once: { name: 'users', values },
    orders,
    id: 'users.id',
    paging: query,
    seen: seenColumns(values.visibility),
    scans: !(isWhole && isUnfiltered(values.filters)),
    views: (rows) => rows.map(userView),
    path: collectionOf(kinds.user, { enterprise: enterprise === ANY_ID ? '_' : enterprise }),
  })
}

const orders = { nick: ['users.nick_key'], id: [], name: ['users.name_key'] }

type Holders = { condition: RawBuilder<SqlBool> } & Pick<
  Parameters<typeof list<keyof typeof orders, never, never, UserRow>>[0],
  'paging' | 'path'
>

/** The users who meet a condition of lib/caller/scopes/holders.server.ts, each with the scope that applies to them. */
export const listHolders = ({ caller }: ReadContext, { condition, ...page }: Holders): Promise<Listing> =>
  list({
    from: (on) =>
      visibleUsers(on, caller, effectiveScope)
        .innerJoin('scopes as holding', (join) => join.on('holding.id', '=', effectiveScope))
        .where(condition)
        .where(hasText('users.search_key', page.paging.has)),
    orders,
    id: 'users.id',
    scans: true,
    views: (rows) => rows.map(userView),
    ...page,
  })

type Profile = { [Field in keyof UserFields]?: UserFields[Field] | undefined } & Pick<
  UserFields,
  'nick' | 'name'
>

const searchKeys = ({ nick, name, surname = '', email = '' }: Profile) => ({
  name_key: fold(`${name} ${surname}`),
  search_key: fold([nick, name, surname, email].join('\n')),
})

/** The columns of the profile, with the keys for order and search. */
export const profileColumns = (user: Profile) => ({ ...ownColumns.written(user), ...searchKeys(user) })

type NewUser = Profile & {
  enterpriseId: number
  roleId: number
  scopeId?: number | undefined
  endsAt?: number | null
  password_hash: string
  /** The users chose the password themselves. */
  passwordChosen?: boolean
  /** The identity provider with which the user signs in, or SERVICE. Without it they sign in with a password. */
  authType?: string
}

/** `randomInt` has no wider range. */
const EPOCHS = 2 ** 47

export const newUserColumns = (user: NewUser) => ({
  ...profileColumns(user),
  nick_identity: lookAlikeKey(user.nick),
  enterprise_id: user.enterpriseId,
  role_id: user.roleId,
  scope_id: user.scopeId ?? null,
  auth_type: user.authType ?? 'LOCAL',
  first_login: user.passwordChosen ? (0 as const) : (1 as const),
  password_hash: user.password_hash,
  // Tokens hold the user's id and epoch. Random, because a restored user has the id of the deleted one.
  token_epoch: randomInt(EPOCHS),
  two_factor_provider: null,
  two_factor_secret: null,
  two_factor_step: 0,
  two_factor_began_by: null,
  created_at: Date.now(),
  modified_at: Date.now(),
  ends_at: user.endsAt ?? null,
})

/** The user has other fields now. */
export const modifiedNow = () => ({ modified_at: Date.now() })

/** Throws CONSTR-PATTERN. A restored user keeps their nick, which may be older than the rules. */
export function requireNick(db: Db, nick: string): void {
  const problem = comesBack(db, 'users') ? undefined : nickProblem(nick)
  if (problem) throw new ApiError(fieldFault('CONSTR-PATTERN', 'nick', problem))
}

/** Throws CONSTR-PATTERN. A unique index refuses a nick that another user has. */
export async function insertUser(trx: Trx, user: NewUser): Promise<number> {
  requireNick(trx, user.nick)
  return insertRow(trx, 'users', newUserColumns(user))
}

/** Stores the names, the e-mail address and, if present, the role that an identity provider sends. */
export const updateProfile = (
  trx: Trx,
  userId: number,
  { roleId, ...profile }: Profile & { roleId: number | undefined },
): Promise<unknown> =>
  trx
    .updateTable('users')
    .set({
      name: profile.name,
      surname: profile.surname ?? '',
      email: profile.email ?? '',
      ...searchKeys(profile),
      ...(roleId !== undefined && { role_id: roleId }),
      ...modifiedNow(),
    })
    .where('id', '=', userId)
    .execute()
