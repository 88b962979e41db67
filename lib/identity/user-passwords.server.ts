import { PASSWORD_LENGTH } from '#lib/auth/password.schema'
import { checkPassword, hashPassword } from '#lib/auth/passwords.server'
import { type Caller, can } from '#lib/auth/privileges'
import { guess } from '#lib/auth/throttle.server'
import { database } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import type { Sent } from '#lib/http/spec'

/** What of a user's document takes time: the hash of the new password; whether the old one is that of the stored hash. */
export type PreparedPassword = { hash?: string; old?: { stored: string; correct: boolean } }

/** Hashing and comparing take tens of milliseconds, in which no other writer shall wait. */
export async function preparePassword({
  request,
  caller,
  params,
  document,
}: Omit<Sent, 'params'> & {
  params: Partial<Record<'enterprise' | 'user', number>>
}): Promise<PreparedPassword> {
  const own = params.user === caller.id
  if (!own && !can(caller, ['USERS_MANAGE_USERS'])) return {}
  const [password, oldPassword] = [textOf(document, 'password'), textOf(document, 'oldPassword')]
  if (password === undefined || password.length < env().PASSWORD_MIN_LENGTH) return {}
  const hash = await hashPassword(password)
  return own && oldPassword !== undefined
    ? { hash, old: await compare(request, caller, oldPassword) }
    : { hash }
}

/** The same, where the document is about oneself. */
export const prepareOwnPassword = (sent: Sent): Promise<PreparedPassword> =>
  preparePassword({ ...sent, params: { user: sent.caller.id } })

/** Who guesses at the old password waits like who guesses at signing in. */
async function compare(
  request: Request,
  { id, nick }: Caller,
  oldPassword: string,
): Promise<{ stored: string; correct: boolean }> {
  const { password_hash: stored } = await database()
    .read.selectFrom('users')
    .where('id', '=', id)
    .select('password_hash')
    .executeTakeFirstOrThrow()
  const correct = await guess(
    { guess: 'password', nick, userId: id, request },
    async () => (await checkPassword(stored, oldPassword)) !== 'wrong',
  )
  return { stored, correct }
}

function textOf(document: unknown, field: string): string | undefined {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, field)) return undefined
  const value = (document as Record<string, unknown>)[field]
  // A character may take two units. What is longer is refused by the schema, and never hashed.
  return typeof value === 'string' && value.length <= 2 * PASSWORD_LENGTH.most ? value : undefined
}
