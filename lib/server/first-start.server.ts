import { passwordFault } from '#lib/caller/auth/password-rules.server'
import { generatePassword, hashPassword } from '#lib/caller/auth/passwords.server'
import { defaultRoles } from '#lib/caller/auth/privileges'
import { GLOBAL_SCOPE } from '#lib/caller/scopes/scopes.schema'
import { type Trx, transaction } from '#lib/db/db.server'
import { isStartConflict } from '#lib/db/dialect.server'
import { env, SettingError } from '#lib/ground/env.server'
import { insertEnterprise } from '#lib/people/identity/enterprises.server'
import { nickProblem } from '#lib/people/identity/nick'
import { insertRole } from '#lib/people/identity/roles.server'
import { insertUser } from '#lib/people/identity/users.server'

/**
 * Creates the default roles, one enterprise and the administrator in an empty database (the global scope comes with the schema).
 * Returns the generated password, which cannot be read again; undefined if the password was set or users exist.
 */
export async function firstStart(): Promise<string | undefined> {
  const password = env().ADMIN_PASSWORD ?? generatePassword()
  const password_hash = await hashPassword(password)
  const bringUp = async (trx: Trx) => {
    if (await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) return false
    requireAdministrator()
    const roles: number[] = []
    for (const role of defaultRoles) roles.push(await insertRole(trx, role))
    const enterpriseId = await insertEnterprise(trx, { name: 'Cloud', scopeId: GLOBAL_SCOPE })
    const nick = env().ADMIN_NICK
    await insertUser(trx, {
      nick,
      name: 'Cloud',
      surname: 'Administrator',
      enterpriseId,
      roleId: roles[0] ?? 0,
      password_hash,
      passwordChosen: env().ADMIN_PASSWORD !== undefined,
    })
    return true
  }
  const made = await transaction(bringUp, { again: isStartConflict })
  return made && !env().ADMIN_PASSWORD ? password : undefined
}

/** Only the first start checks these settings. An installation that has users ignores them. */
function requireAdministrator(): void {
  const { ADMIN_NICK, ADMIN_PASSWORD } = env()
  const problem = nickProblem(ADMIN_NICK)
  if (problem) throw new SettingError(`Setting ADMIN_NICK: ${problem}`)
  const weak = ADMIN_PASSWORD === undefined ? undefined : passwordFault(ADMIN_PASSWORD, ADMIN_NICK)
  if (weak) throw new SettingError(`Setting ADMIN_PASSWORD: ${weak.message}`)
}
