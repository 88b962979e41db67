import { createHash } from 'node:crypto'
import type { Updateable } from 'kysely'
import { database, transaction } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'
import { type Env, env } from '#lib/ground/env.server'
import type { User } from '#lib/tools/testing/client'

/** The token that a success brings. */
export const tokenOf = (response: Response): string => {
  const token = response.headers.get('x-service-token')
  if (!token) throw new Error(`no token in an answer of ${response.status}`)
  return token
}

/** Each cookie that an answer sets: its whole Set-Cookie value by its name. */
export const cookiesOf = (response: Response): Record<string, string> =>
  Object.fromEntries(response.headers.getSetCookie().map((cookie) => [cookie.split('=', 1)[0], cookie]))

/** Only the `name=value` of a Set-Cookie value, as a browser sends it back. */
export const pairOf = (setCookie: string | undefined): string => setCookie?.split(';', 1)[0] ?? ''

type UserColumns = Omit<Updateable<Tables['users']>, 'id'>

/** Changes a user in the database, where no operation exists yet. */
export const changeUser = ({ nick }: User, columns: UserColumns): Promise<unknown> =>
  transaction((trx) => trx.updateTable('users').set(columns).where('nick', '=', nick).execute())

/** The row of a user in the database. */
export const rowOf = ({ nick }: User) =>
  database().read.selectFrom('users').where('nick', '=', nick).selectAll().executeTakeFirstOrThrow()

/** Whether the table has a row of the user. */
export const hasRow =
  (table: 'mailed_codes' | 'sign_in_places', { id }: { id: number }) =>
  async () =>
    (await database().read.selectFrom(table).where('user_id', '=', id).select('user_id').execute()).length > 0

/** A link and a code in mails, an invitation, an identity at a provider and a known network of the user, all with this secret. */
export async function sentTo({ id }: { id: number }, secret: string) {
  const mailed = { user_id: id, sent_at: 0, expires_at: Date.now() + 600_000 }
  const token_hash = createHash('sha256').update(secret).digest('base64url')
  const identity = { provider: 'OPENID', issuer: 'https://id.example', subject: secret }
  const known = { user_id: id, network: '192.0.2.0/24', last: Date.now() }
  await transaction(async (trx) => {
    await trx
      .insertInto('password_resets')
      .values({ ...mailed, token_hash })
      .execute()
    await trx
      .insertInto('invitations')
      .values({ user_id: id, expires_at: mailed.expires_at, token_hash })
      .execute()
    await trx
      .insertInto('mailed_codes')
      .values({ ...mailed, code_hash: secret, tries: 0 })
      .execute()
    await trx.insertInto('sign_in_places').values(known).execute()
    await trx
      .insertInto('user_identities')
      .values({ user_id: id, ...identity })
      .execute()
  })
  return identity
}

/** Runs `work` as if the installation had other settings. */
export async function withSettings<T>(other: Partial<Env>, work: () => Promise<T>): Promise<T> {
  const settings = env()
  const before = { ...settings }
  Object.assign(settings, other)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(other))
      if (!Object.hasOwn(before, name)) Reflect.deleteProperty(settings, name)
    Object.assign(settings, before)
  }
}
