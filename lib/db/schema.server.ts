import { type Kysely, sql } from 'kysely'
import type { Engine } from '#lib/db/dialect.server'
import { statement, together } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'

type Database = { read: Kysely<Tables> }

/*
 * Which programs may write the database. Each migration stores the oldest schema version whose programs may go on beside it, so that a
 * program can judge migrations that it does not know.
 */

/** The database was migrated by a newer program. The message is one line for the terminal. */
export class NewerSchema extends Error {
  constructor(version: number) {
    super(
      `The database belongs to a newer version of this program: its schema is ${version}, this version supports up to ${own}. Start the newer version, or restore the backup that was made before the upgrade.`,
    )
  }
}

let own: number | undefined

/** Declares the schema version that this program requires. */
export function declareSchema(version: number): void {
  own = version
}

/** `isNewer`: a newer program has migrated. `isWritable`: this program may write nevertheless. */
type Schema = { version: number; isNewer: boolean; isWritable: boolean }

export async function readSchema({ read }: Database): Promise<Schema> {
  // All columns: older schemas lack `oldest`.
  const { rows } = await sql<{
    version: number
    oldest?: number
  }>`select * from migrations order by version desc limit 1`.execute(read)
  const { version = 0, oldest = version } = rows[0] ?? {}
  return judged({ version, oldest })
}

function judged({ version, oldest }: Migrated): Schema {
  const isNewer = own !== undefined && version > own
  return { version, isNewer, isWritable: !isNewer || oldest <= (own ?? version) }
}

type Migrated = { version: number; oldest: number }

const lastMigration = statement('schema', (db) => ({
  compile: () =>
    sql<Migrated>`select version, oldest from migrations order by version desc limit 1`.compile(db),
}))

/**
 * Throws NewerSchema if this program may not write any more. Send it before any other statement of a transaction. A migration locks all
 * tables of PostgreSQL (migrate.server.ts), so after this lock, which precedes the snapshot, none comes before the transaction has ended.
 */
export async function requireWritableSchema(trx: Kysely<Tables>, engine: Engine): Promise<void> {
  const lock = async () => engine === 'postgres' && sql`lock table users in access share mode`.execute(trx)
  const [, [schema]] = await together(lock(), lastMigration(trx, {}))
  if (schema && !judged(schema).isWritable) throw new NewerSchema(schema.version)
}
