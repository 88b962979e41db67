import type { Updateable } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'

type Credentials = Pick<
  Updateable<Tables['users']>,
  | 'active'
  | 'allowed_cidrs'
  | 'first_login'
  | 'invited'
  | 'locked'
  | 'password_hash'
  | 'two_factor_began_by'
  | 'two_factor_in_console'
  | 'two_factor_provider'
  | 'two_factor_secret'
  | 'two_factor_step'
>

/** Writes the columns of `users` that concern signing in. lib/people/identity writes the others. */
export const setCredentials = (trx: Trx, userId: number, values: Credentials): Promise<unknown> =>
  trx.updateTable('users').set(values).where('id', '=', userId).execute()
