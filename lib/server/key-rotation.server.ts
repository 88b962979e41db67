import { sql } from 'kysely'
import { reencrypted } from '#lib/auth/keys.server'
import { twoFactorSecretContext } from '#lib/auth/two-factor-codes.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { devicePasswordContext } from '#lib/infrastructure/device-changes.server'
import { log } from '#lib/log.server'
import { MAIL_CONTEXT } from '#lib/mail/outbox.server'
import { applicationSecretContext } from '#lib/oauth/applications.server'
import { tokenSecretContext } from '#lib/oauth/tokens.server'

const CHUNK = 500

type Sealed = { id: number; sealed: string; context: string }
type Store = {
  after: (trx: Trx, id: number) => Promise<Sealed[]>
  put: (trx: Trx, id: number, sealed: string) => Promise<unknown>
}

type Table = 'users' | 'devices' | 'applications' | 'oauth_tokens' | 'mails'

/** A column that is encrypted, each row for its own context. */
const store = (
  table: Table,
  column: string,
  context: (id: number, name: string) => string,
  name = 'id',
): Store => ({
  after: async (trx, id) => {
    const rows = await sql<{ id: number; sealed: string; name: unknown }>`
      select id, ${sql.ref(column)} as sealed, ${sql.ref(name)} as name from ${sql.table(table)}
      where ${sql.ref(column)} is not null and id > ${id} order by id limit ${CHUNK}`.execute(trx)
    return rows.rows.map((row) => ({ ...row, context: context(row.id, String(row.name)) }))
  },
  put: (trx, id, sealed) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where id = ${id}`.execute(trx),
})

/** What the database holds encrypted. */
const stores: Store[] = [
  store('users', 'two_factor_secret', twoFactorSecretContext),
  store('devices', 'password', devicePasswordContext),
  store('applications', 'api_secret', applicationSecretContext),
  store('oauth_tokens', 'secret', (_id, token) => tokenSecretContext(token), 'token'),
  store('mails', 'sealed', () => MAIL_CONTEXT),
]

/**
 * With SECRET_KEY_PREVIOUS set, everything that is encrypted becomes so with the key in use: afterwards the previous one may
 * go. Scratch codes are hashed, and stay good only while it is there. Gives how many were encrypted anew.
 */
export async function rotateKeys(): Promise<number> {
  if (env().SECRET_KEY_PREVIOUS.length === 0) return 0
  let rotated = 0
  for (const store of stores) {
    let last: number | undefined = 0
    while (last !== undefined) {
      const from: number = last
      const next = await transaction((trx) => rotateSome(trx, store, from))
      last = next?.last
      rotated += next?.rotated ?? 0
    }
  }
  return rotated
}

/** What none of the keys opens is lost whatever happens: it is told, and holds nothing else up. */
function freshly(sealed: string, context: string): string | undefined {
  try {
    return reencrypted(sealed, context)
  } catch (err) {
    log().error({ err }, 'what is stored could not be encrypted anew')
    return undefined
  }
}

async function rotateSome(
  trx: Trx,
  store: Store,
  after: number,
): Promise<{ last: number; rotated: number } | undefined> {
  const rows = await store.after(trx, after)
  let rotated = 0
  for (const { id, sealed, context } of rows) {
    const fresh = freshly(sealed, context)
    if (fresh === undefined) continue
    await store.put(trx, id, fresh)
    rotated += 1
  }
  const last = rows.at(-1)?.id
  return last === undefined ? undefined : { last, rotated }
}
