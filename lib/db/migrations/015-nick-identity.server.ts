import type { Trx } from '#lib/db/db.server'
import type { MigrationTypes } from '#lib/db/dialect.server'
import { lookAlikeKey } from '#lib/db/fold'
import { log } from '#lib/ground/log.server'

/**
 * No two nicks look alike from now on. Users who have such nicks already keep them: the key of the later one gets its id, behind a line
 * break, which no nick contains.
 */
async function fill(trx: Trx): Promise<void> {
  const users = await trx.selectFrom('users').select(['id', 'nick']).orderBy('id').execute()
  const first = new Map<string, string>()
  for (const { id, nick } of users) {
    const key = lookAlikeKey(nick)
    const other = first.get(key)
    if (other === undefined) first.set(key, nick)
    else log().warn({ nicks: [other, nick] }, 'two nicks look alike: rename one of the users')
    const nick_identity = other === undefined ? key : `${key}\n${id}`
    await trx.updateTable('users').set({ nick_identity }).where('id', '=', id).execute()
  }
}

export const statements = ({ key }: MigrationTypes) => [
  `alter table users add column nick_identity ${key}`,
  fill,
  'create unique index users_nick_identity on users (nick_identity)',
]
