import { sql } from 'kysely'
import { applicationSecretContext } from '#lib/caller/oauth/applications.server'
import { tokenSecretContext } from '#lib/caller/oauth/tokens.server'
import { devicePasswordContext } from '#lib/cloud/infrastructure/device-changes.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { reencrypted } from '#lib/ground/keys/keys.server'
import { log } from '#lib/ground/log.server'
import { providerContext } from '#lib/people/federation/sign-in.server'
import { twoFactorSecretContext } from '#lib/people/sign-in/two-factor-codes.server'
import { webhookSecretContext } from '#lib/people/webhooks/webhook-changes.server'
import { MAIL_CONTEXT } from '#lib/record/mail/outbox.server'

const CHUNK = 500

type Key = number | string
type Sealed = { key: Key; sealed: string; context: string }
type Store = {
  /** Sorts before every key. */
  first: Key
  after: (trx: Trx, key: Key) => Promise<Sealed[]>
  put: (trx: Trx, key: Key, sealed: string) => Promise<unknown>
}

type Table =
  | 'users'
  | 'devices'
  | 'applications'
  | 'oauth_tokens'
  | 'mails'
  | 'session_providers'
  | 'webhooks'

type Column<K extends Key> = {
  table: Table
  column: string
  /** The key column, and a value that sorts before every key. */
  key: string
  first: K
  context: (name: K) => string
}

/** An encrypted column. Each row is bound to its own context. */
const store = <K extends Key>({ table, column, key, first, context }: Column<K>): Store => ({
  first,
  after: async (trx, last) => {
    const { rows } = await sql<{ key: K; sealed: string }>`
      select ${sql.ref(key)} as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${sql.ref(key)} > ${last} order by ${sql.ref(key)} limit ${CHUNK}`.execute(
      trx,
    )
    return rows.map((row) => ({ ...row, context: context(row.key) }))
  },
  put: (trx, name, sealed) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where ${sql.ref(key)} = ${name}`.execute(
      trx,
    ),
})

const numbered = { key: 'id', first: 0 }
const named = (key: string) => ({ key, first: '' })

/** All encrypted columns. */
const stores: Store[] = [
  store({ table: 'users', column: 'two_factor_secret', context: twoFactorSecretContext, ...numbered }),
  store({ table: 'devices', column: 'password', context: devicePasswordContext, ...numbered }),
  store({ table: 'applications', column: 'api_secret', context: applicationSecretContext, ...numbered }),
  store({ table: 'oauth_tokens', column: 'secret', context: tokenSecretContext, ...named('token') }),
  store({ table: 'session_providers', column: 'sealed', context: providerContext, ...named('chain') }),
  store({ table: 'webhooks', column: 'secret', context: webhookSecretContext, ...numbered }),
  store({ table: 'mails', column: 'sealed', context: () => MAIL_CONTEXT, ...numbered }),
]

/**
 * With SECRET_KEY_PREVIOUS set, encrypts all values with the current key; then the previous key may be removed. Scratch codes are hashed
 * and stop working without the key they were made with. Returns the number of values encrypted again.
 */
export async function rotateKeys(): Promise<number> {
  if (env().SECRET_KEY_PREVIOUS.length === 0) return 0
  let rotated = 0
  for (const store of stores) {
    let last: Key | undefined = store.first
    while (last !== undefined) {
      const from: Key = last
      const next: Rotated | undefined = await transaction((trx) => rotateSome(trx, store, from))
      last = next?.last
      rotated += next?.rotated ?? 0
    }
  }
  return rotated
}

/** A value that no key can decrypt is lost anyway: it is logged and skipped. */
function withCurrentKey(sealed: string, context: string): string | undefined {
  try {
    return reencrypted(sealed, context)
  } catch (err) {
    log().error({ err }, 'a stored value could not be decrypted, and is not encrypted again')
    return undefined
  }
}

type Rotated = { last: Key; rotated: number }

async function rotateSome(trx: Trx, store: Store, after: Key): Promise<Rotated | undefined> {
  const rows = await store.after(trx, after)
  let rotated = 0
  for (const { key, sealed, context } of rows) {
    const resealed = withCurrentKey(sealed, context)
    if (resealed === undefined) continue
    await store.put(trx, key, resealed)
    rotated += 1
  }
  const last = rows.at(-1)?.key
  return last === undefined ? undefined : { last, rotated }
}
