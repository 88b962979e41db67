import { reencrypted } from '#lib/auth/keys.server'
import { twoFactorSecretContext } from '#lib/auth/two-factor-codes.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { devicePasswordContext } from '#lib/infrastructure/device-changes.server'

const CHUNK = 500

type Sealed = { id: number; sealed: string | null }
type Store = {
  context: (id: number) => string
  after: (trx: Trx, id: number) => Promise<Sealed[]>
  put: (trx: Trx, id: number, sealed: string) => Promise<unknown>
}

/** What the database holds encrypted. */
const stores: Store[] = [
  {
    context: twoFactorSecretContext,
    after: (trx, id) =>
      trx
        .selectFrom('users')
        .where('two_factor_secret', 'is not', null)
        .where('id', '>', id)
        .select(['id', 'two_factor_secret as sealed'])
        .orderBy('id')
        .limit(CHUNK)
        .execute(),
    put: (trx, id, two_factor_secret) =>
      trx.updateTable('users').set({ two_factor_secret }).where('id', '=', id).execute(),
  },
  {
    context: devicePasswordContext,
    after: (trx, id) =>
      trx
        .selectFrom('devices')
        .where('password', 'is not', null)
        .where('id', '>', id)
        .select(['id', 'password as sealed'])
        .orderBy('id')
        .limit(CHUNK)
        .execute(),
    put: (trx, id, password) => trx.updateTable('devices').set({ password }).where('id', '=', id).execute(),
  },
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

async function rotateSome(
  trx: Trx,
  store: Store,
  after: number,
): Promise<{ last: number; rotated: number } | undefined> {
  const rows = await store.after(trx, after)
  let rotated = 0
  for (const { id, sealed } of rows) {
    const fresh = sealed === null ? undefined : reencrypted(sealed, store.context(id))
    if (fresh === undefined) continue
    await store.put(trx, id, fresh)
    rotated += 1
  }
  const last = rows.at(-1)?.id
  return last === undefined ? undefined : { last, rotated }
}
