import { database, transaction } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'
import { type Env, env } from '#lib/env.server'
import type { User } from '#lib/testing/client'

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

type UserColumns = Partial<{ [C in keyof Omit<Tables['users'], 'id'>]: Tables['users'][C] }>

/** Changes what the database says of a user, for what no operation can do yet. */
export const changeUser = ({ nick }: User, columns: UserColumns): Promise<unknown> =>
  transaction((trx) => trx.updateTable('users').set(columns).where('nick', '=', nick).execute())

/** What the database says of a user. */
export const rowOf = ({ nick }: User) =>
  database().read.selectFrom('users').where('nick', '=', nick).selectAll().executeTakeFirstOrThrow()

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
