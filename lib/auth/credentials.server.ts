import type { Updateable } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'

type Credentials = Pick<
  Updateable<Tables['users']>,
  | 'active'
  | 'allowed_cidrs'
  | 'first_login'
  | 'locked'
  | 'password_hash'
  | 'two_factor_began_by'
  | 'two_factor_provider'
  | 'two_factor_secret'
  | 'two_factor_step'
>

/** Changes what a user signs in with. The columns that say who the user is belong to lib/identity. */
export const setCredentials = (trx: Trx, userId: number, values: Credentials): Promise<unknown> =>
  trx.updateTable('users').set(values).where('id', '=', userId).execute()
