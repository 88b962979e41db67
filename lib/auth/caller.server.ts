import { type Caller, type CallerScope, isPrivilege } from '#lib/auth/privileges'
import type { Session } from '#lib/auth/tokens.server'
import { database } from '#lib/db/db.server'

const accounts = () =>
  database()
    .read.selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .innerJoin('scopes', (join) =>
      join.on((on) => on('scopes.id', '=', on.fn.coalesce('users.scope_id', 'enterprises.default_scope_id'))),
    )
    .where('users.active', '=', 1)
    .where('users.locked', '=', 0)
    .select([
      'users.id',
      'users.nick',
      'users.enterprise_id',
      'users.role_id',
      'users.token_epoch',
      'users.password_hash',
      'users.two_factor_provider',
      'users.allowed_cidrs',
      'enterprises.two_factor_mandatory',
      'scopes.id as scope_id',
      'scopes.all_datacenters',
      'scopes.all_enterprises',
    ])

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** The account of this nick that may sign in: active and not locked. PostgreSQL cannot even be asked for a character 0. */
export const findAccount = async (nick: string) =>
  nick.includes('\0') ? undefined : accounts().where('users.nick', '=', nick).executeTakeFirst()

/** Who the account is to the API. Read anew for each request: what was taken away is gone at once. */
export async function callerOf(account: Account): Promise<Caller> {
  const rows = await database()
    .read.selectFrom('role_privileges')
    .where('role_id', '=', account.role_id)
    .select('privilege')
    .execute()
  const scope: CallerScope = {
    id: account.scope_id,
    allDatacenters: account.all_datacenters === 1,
    allEnterprises: account.all_enterprises === 1,
  }
  const privileges = new Set(rows.map(({ privilege }) => privilege).filter(isPrivilege))
  return { id: account.id, nick: account.nick, enterpriseId: account.enterprise_id, scope, privileges }
}

/** The enterprise asks for two factor, and the user has not set it up. */
export const mustEnrol = (account: Pick<Account, 'two_factor_mandatory' | 'two_factor_provider'>): boolean =>
  account.two_factor_mandatory === 1 && account.two_factor_provider === null

/** The account behind a session, or null where it was ended: signed out, password changed, user locked or disabled. */
export async function accountOfSession(session: Session): Promise<Account | null> {
  const account = await accounts().where('users.id', '=', session.userId).executeTakeFirst()
  if (!account || account.token_epoch !== session.epoch) return null
  const ended = await database()
    .read.selectFrom('ended_sessions')
    .where('id', '=', session.id)
    .select('id')
    .executeTakeFirst()
  return ended ? null : account
}
