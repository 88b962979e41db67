import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { copyTo, failureOf } from '#lib/db/backup.server'
import { databaseFile } from '#lib/db/db.server'
import { schemaVersion } from '#lib/db/migrate.server'
import { makeDataDirectory } from '#lib/ground/data-directory.server'
import type { Env } from '#lib/ground/env.server'

/* The embedded database as it was before each upgrade: DATA_DIR/backups/schema-VERSION.db. */

const KEPT = 3

const folderIn = (dataDir: string): string => join(dataDir, 'backups')

/**
 * Backs up the embedded database if its schema is about to be migrated, and removes all but the last backups. A start that is repeated
 * replaces its backup. Returns the path of the backup. Throws BackupError.
 */
export async function backUpBeforeUpgrade({
  DATA_DIR,
  DATABASE_URL,
}: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>): Promise<string | undefined> {
  const source = databaseFile(DATA_DIR)
  if (DATABASE_URL || !existsSync(source)) return
  const version = versionOf(source)
  if (version === 0 || version >= schemaVersion) return
  const folder = folderIn(DATA_DIR)
  const file = join(folder, `schema-${version}.db`)
  try {
    makeDataDirectory(folder)
    removeDrafts(folder)
    await copyTo(file, source)
  } catch (error) {
    throw failureOf(error, file)
  }
  for (const old of upgradeBackups(DATA_DIR).slice(KEPT)) rmSync(old)
  return file
}

/** The paths of these backups, the last one first. */
export function upgradeBackups(dataDir: string): string[] {
  const folder = folderIn(dataDir)
  if (!existsSync(folder)) return []
  return (
    readdirSync(folder)
      .filter((name) => /^schema-\d+\.db$/.test(name))
      .map((name) => join(folder, name))
      // A link may lead nowhere.
      .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .toSorted((one, other) => other.at - one.at)
      .map(({ path }) => path)
  )
}

/** The path of the backup with this name, else the path as it was given. */
export const pathOfBackup = (dataDir: string, given: string): string =>
  (existsSync(given) ? undefined : upgradeBackups(dataDir).find((path) => basename(path) === given)) ?? given

/** The version of the schema, 0 where a start ended before it was made. */
function versionOf(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    if (!db.prepare(`select 1 from sqlite_master where name = 'migrations'`).get()) return 0
    return Number(db.prepare('select max(version) as version from migrations').get()?.version)
  } finally {
    db.close()
  }
}

/** What a killed start left. Other files in the folder are an operator's. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^schema-\d+\.db\.part(-journal|-wal|-shm)?$/.test(name)) rmSync(join(folder, name))
}
