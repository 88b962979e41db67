import { hashPassword } from '#lib/caller/auth/passwords.server'
import { can } from '#lib/caller/auth/privileges'
import { env } from '#lib/ground/env.server'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'
import { compareOldPassword } from '#lib/people/sign-in/proof.server'
import type { Sent } from '#lib/record/events/operation.server'

/** The slow parts of a user's document: the hash of the new password, and the check of the old one. */
export type PreparedPassword = { hash?: string; old?: { stored: string; correct: boolean } }

/** Runs before the transaction: hashing takes tens of milliseconds, during which other writers would wait. */
export async function preparePassword({
  request,
  caller,
  params,
  document,
}: Sent & { params: Partial<Record<'enterprise' | 'user', number>> }): Promise<PreparedPassword> {
  const own = params.user === caller.id
  if (!own && !can(caller, ['USERS_MANAGE_USERS'])) return {}
  const [password, oldPassword] = [textOf(document, 'password'), textOf(document, 'oldPassword')]
  if (password === undefined || password.length < env().PASSWORD_MIN_LENGTH) return {}
  const hash = await hashPassword(password)
  return own && oldPassword !== undefined
    ? { hash, old: await compareOldPassword(request, caller, oldPassword) }
    : { hash }
}

/** The same for the caller's own document. */
export const prepareOwnPassword = (sent: Sent): Promise<PreparedPassword> =>
  preparePassword({ ...sent, params: { user: sent.caller.id } })

function textOf(document: unknown, field: string): string | undefined {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, field)) return undefined
  const value = (document as Record<string, unknown>)[field]
  // A character may take two UTF-16 units. The schema refuses longer passwords, so they are never hashed.
  return typeof value === 'string' && value.length <= 2 * PASSWORD_LENGTH.most ? value : undefined
}
