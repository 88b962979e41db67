import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Caller, type CallerScope, isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import type { Session } from '#lib/caller/auth/tokens.server'
import { type Db, database } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'

const allAccounts = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .innerJoin('scopes', (join) =>
      join.on((on) => on('scopes.id', '=', on.fn.coalesce('users.scope_id', 'enterprises.default_scope_id'))),
    )
    .select([
      'users.id',
      'users.nick',
      'users.enterprise_id',
      'users.role_id',
      'users.token_epoch',
      'users.password_hash',
      'users.two_factor_provider',
      'users.two_factor_began_by',
      'users.two_factor_in_console',
      'users.allowed_cidrs',
      'users.first_login',
      'users.auth_type',
      'enterprises.two_factor_mandatory',
      'scopes.id as scope_id',
      'scopes.all_datacenters',
      'scopes.all_enterprises',
    ])
    .select(
      sql<string | null>`(select string_agg(privilege, ',') from role_privileges
        where role_privileges.role_id = users.role_id)`.as('privileges'),
    )

const accounts = (db: Db) => allAccounts(db).where('users.active', '=', 1).where('users.locked', '=', 0)

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

const accountOfNick = statement('account of nick', (db, { nick }: { nick: string }) =>
  accounts(db).where('users.nick', '=', nick),
)

/** The account with this nick, if it is active and not locked. PostgreSQL rejects texts with a null character. */
export async function findAccount(nick: string) {
  if (nick.includes('\0')) return undefined
  const [account] = await accountOfNick(database().read, { nick })
  return account
}

export type Identity = { provider: string; issuer: string; subject: string }

const accountOfIdentity = statement('account of identity', (db, { provider, issuer, subject }: Identity) =>
  accounts(db)
    .innerJoin('user_identities', 'user_identities.user_id', 'users.id')
    .where('user_identities.provider', '=', provider)
    .where('user_identities.issuer', '=', issuer)
    .where('user_identities.subject', '=', subject),
)

/** The account bound to this identity at a provider, if it is active and not locked. */
export async function findAccountOfIdentity(identity: Identity) {
  const [account] = await accountOfIdentity(database().read, identity)
  return account
}

const accountOfDigest = statement('account of access token', (db, { digest }: { digest: string }) =>
  accounts(db)
    .innerJoin('access_tokens', 'access_tokens.user_id', 'users.id')
    .where('access_tokens.digest', '=', digest)
    .select(['access_tokens.id as token_id', 'access_tokens.privileges as token_privileges'])
    .select('access_tokens.created_by')
    .select([
      'access_tokens.allowed_cidrs as token_cidrs',
      'access_tokens.expires_at',
      'access_tokens.last_used',
    ]),
)

/** The account of the access token with this digest, if it is active and not locked, with the privileges and limits of the token. */
export async function findAccountOfAccessToken(digest: string) {
  const [account] = await accountOfDigest(database().read, { digest })
  return account
}

/** The account with this id, if it is active and not locked. */
export const accountById = (id: number, db: Db = database().read) =>
  accounts(db).where('users.id', '=', id).executeTakeFirst()

/** The account with this id, whether or not it may sign in, if it exists. */
export const findAnyAccount = (db: Db, id: number) =>
  allAccounts(db).where('users.id', '=', id).select(['users.active', 'users.locked']).executeTakeFirst()

const sets = new LRUCache<string, Set<Privilege>>({ max: 100 })

/** Roles are few and callers many, so callers share read-only sets. */
function privilegesIn(list: string): Set<Privilege> {
  const known = sets.get(list)
  if (known) return known
  const set = new Set(list.split(',').filter(isPrivilege))
  sets.set(list, set)
  return set
}

function privilegesInBoth(list: string, other: string): Set<Privilege> {
  const key = `${list}&${other}`
  const set =
    sets.get(key) ?? new Set([...privilegesIn(list)].filter((name) => privilegesIn(other).has(name)))
  sets.set(key, set)
  return set
}

/** `granted`: the privileges of an access token. The caller has those of them that their role has too. */
export function callerOf(account: Account, granted?: string): Caller {
  const scope: CallerScope = {
    id: account.scope_id,
    allDatacenters: account.all_datacenters === 1,
    allEnterprises: account.all_enterprises === 1,
  }
  const held = account.privileges ?? ''
  const privileges = granted === undefined ? privilegesIn(held) : privilegesInBoth(held, granted)
  return { id: account.id, nick: account.nick, enterpriseId: account.enterprise_id, scope, privileges }
}

/** A condition on users that only the caller meets, for operations on the own account. */
export const isCaller = ({ caller }: { caller: Caller }): RawBuilder<SqlBool> => sql`users.id = ${caller.id}`

/** A step that a user must complete before they can use anything else. */
export type Duty = 'changePassword' | 'enableTwoFactor'

/**
 * The duty after a sign-in with a password. Only the console requires users to replace a password that an administrator chose, because
 * programs cannot change it. Users who signed in through a provider have no duty here. `owesCode`: the session began without a code
 * although two factor is on.
 */
export function dutyOf(account: Account, inConsole: boolean, owesCode = false): Duty | undefined {
  if (inConsole && owesPassword(account)) return 'changePassword'
  const mustProve = owesCode && account.two_factor_provider !== null
  return mustProve || owesTwoFactor(account) ? 'enableTwoFactor' : undefined
}

/**
 * Whether two factor was enabled in the console and no code has verified it. The console's sign-in then asks for no code, because the user
 * may never have had the key, and leads back to the enrolment. Programs are asked for a code.
 */
export const isUnproved = (
  account: Pick<Account, 'two_factor_began_by' | 'two_factor_in_console'>,
): boolean => account.two_factor_in_console === 1 && account.two_factor_began_by !== null

/** The account after a correct code, which completes the enrolment. */
export const withCodeProved = (account: Account): Account => ({ ...account, two_factor_began_by: null })

/** Whether an administrator chose the password. */
export const owesPassword = (account: Pick<Account, 'first_login' | 'auth_type'>): boolean =>
  account.first_login === 1 && account.auth_type === 'LOCAL'

/**
 * Whether the enterprise requires two factor and the user has not set it up, or has verified no code yet. Service accounts have neither
 * password nor two factor.
 */
export const owesTwoFactor = (account: Account): boolean =>
  account.auth_type !== 'SERVICE' &&
  account.two_factor_mandatory === 1 &&
  (account.two_factor_provider === null || account.two_factor_began_by !== null)

/**
 * Tokens need no code. But if the enterprise requires two factor, the chain that began an enrolment may have started with a password
 * alone. Its tokens are limited to the enrolment until a code is verified.
 */
export const dutyOfTokens = (account: Account, { id }: Session): Duty | undefined =>
  owesTwoFactor(account) && account.two_factor_began_by === id ? 'enableTwoFactor' : undefined

type InUse = {
  account: Account
  lastUsed: number | null
  provedAt: number | null
  /** The session began without a code although two factor was on. */
  owesCode: boolean
  /** The user signed in through an identity provider. */
  isByProvider: boolean
  /** The user whose view the session shows, and the epoch of their sessions at its beginning. */
  sees: { user: number; epoch: number } | undefined
}

const accountBehind = statement('account of session', (db, { id, userId }: Pick<Session, 'id' | 'userId'>) =>
  accounts(db)
    .leftJoin('ended_sessions', (join) => join.on('ended_sessions.id', '=', id))
    .leftJoin('sessions', (join) => join.on('sessions.chain', '=', id))
    .leftJoin('session_providers', (join) => join.on('session_providers.chain', '=', id))
    .where('users.id', '=', userId)
    .select('session_providers.provider')
    .select(['ended_sessions.id as ended', 'sessions.last_used', 'sessions.expires_at', 'sessions.epoch'])
    .select(['sessions.proved_at', 'sessions.owes_code', 'sessions.sees_user_id', 'sessions.sees_until'])
    .select('sessions.sees_epoch'),
)

/**
 * The account of a session, or null if the session has ended: signed out, password changed, user locked or disabled, or, in the console,
 * idle for too long.
 */
export async function accountOfSession(session: Session, inConsole: boolean): Promise<InUse | null> {
  const { id, userId } = session
  const [account] = await accountBehind(database().read, { id, userId })
  if (!account || account.ended !== null) return null
  const { expires_at: expires, epoch, last_used: lastUsed, proved_at: provedAt } = account
  const { sees_user_id: user, sees_epoch: seen, sees_until: until } = account
  // `endOtherSessions` advances the epoch of the user and of the current session only.
  if (account.token_epoch !== session.epoch && account.token_epoch !== epoch) return null
  if (inConsole && (expires ?? 0) <= Date.now()) return null
  return {
    account,
    lastUsed,
    provedAt,
    owesCode: account.owes_code === 1,
    isByProvider: account.provider !== null,
    sees: user !== null && seen !== null && (until ?? 0) > Date.now() ? { user, epoch: seen } : undefined,
  }
}
