import { checkPassword, hashPassword } from '#lib/auth/passwords.server'
import { type Caller, can } from '#lib/auth/privileges'
import { database } from '#lib/db/db.server'
import { PASSWORD_LENGTH } from '#lib/identity/users.schema'

/** What of a user's document takes time: the hash of the new password; whether the old one is that of the stored hash. */
export type PreparedPassword = { hash?: string; old?: { stored: string; correct: boolean } }

type Sent = { caller: Caller; params: Partial<Record<'enterprise' | 'user', number>>; document: unknown }

/** Hashing and comparing take tens of milliseconds, in which no other writer shall wait. */
export async function preparePassword({ caller, params, document }: Sent): Promise<PreparedPassword> {
  const own = params.user === caller.id
  if (!own && !can(caller, ['USERS_MANAGE_USERS'])) return {}
  const [password, oldPassword] = [textOf(document, 'password'), textOf(document, 'oldPassword')]
  if (password === undefined || password.length < PASSWORD_LENGTH.min) return {}
  const hash = await hashPassword(password)
  return own && oldPassword !== undefined ? { hash, old: await compare(caller.id, oldPassword) } : { hash }
}

async function compare(id: number, oldPassword: string): Promise<{ stored: string; correct: boolean }> {
  const { password_hash: stored } = await database()
    .read.selectFrom('users')
    .where('id', '=', id)
    .select('password_hash')
    .executeTakeFirstOrThrow()
  return { stored, correct: (await checkPassword(stored, oldPassword)) !== 'wrong' }
}

function textOf(document: unknown, field: string): string | undefined {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, field)) return undefined
  const value = (document as Record<string, unknown>)[field]
  // A character may take two units. What is longer is refused by the schema, and never hashed.
  return typeof value === 'string' && value.length <= 2 * PASSWORD_LENGTH.max ? value : undefined
}
