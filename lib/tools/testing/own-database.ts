import { join } from 'node:path'
import { sql } from 'kysely'
import { closeDatabase, type Database, openDatabase, transaction } from '#lib/db/db.server'
import { migrate, migrateTo } from '#lib/db/migrate.server'
import { type Env, env } from '#lib/ground/env.server'
import { queryPostgres } from '#lib/tools/testing/postgres'

export type Settings = Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>

let last = 0

/** The settings of a new, empty database of the engine that is under test. */
export async function ownDatabase(): Promise<Settings> {
  last += 1
  const { DATA_DIR, DATABASE_URL } = env()
  if (!DATABASE_URL) return { DATA_DIR: join(DATA_DIR, `own-${last}`) }
  const url = new URL(DATABASE_URL)
  const name = `${url.pathname.slice(1)}_own_${last}`
  await queryPostgres(DATABASE_URL, `create database ${name}`)
  url.pathname = name
  return { DATA_DIR, DATABASE_URL: url.href }
}

/** The address of the test database on PostgreSQL by TCP: a socket is no host. */
export function addressByTcp(): URL {
  const url = new URL(env().DATABASE_URL ?? '')
  url.searchParams.delete('host')
  return url
}

/** Opens this database for the work, and closes it at its end. */
export async function inDatabase<T>(
  settings: Settings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(settings)
  try {
    return await work(database)
  } finally {
    await closeDatabase(database)
  }
}

/** A new database, migrated and closed. */
export async function migratedDatabase(): Promise<Settings> {
  const settings = await ownDatabase()
  await inDatabase(settings, migrate)
  return settings
}

/** Fills this database as the release did whose last migration it was. */
export async function fillAt(
  settings: Settings,
  version: number,
  statements: string[],
  then: (database: Database) => Promise<void> = async () => {},
): Promise<void> {
  await inDatabase(settings, async (database) => {
    await migrateTo(database, version)
    await transaction(
      async (trx) => {
        for (const statement of statements) await sql.raw(statement).execute(trx)
      },
      { on: database, anySchema: true },
    )
    await then(database)
  })
}
