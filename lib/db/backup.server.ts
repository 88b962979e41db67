import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { closeDataDirectory, makeDataDirectory, makePrivateFile } from '#lib/data-directory.server'
import { databaseFile } from '#lib/db/db.server'
import { schemaVersion } from '#lib/db/migrate.server'
import type { Env } from '#lib/env.server'

/** Why a copy could not be made or put in place: one line for the terminal. */
export class BackupError extends Error {}

const ALL_PAGES = 2 ** 31 - 1

/** PostgreSQL has its own tools, which know more than a copy of ours could. */
function requireEmbedded({ DATABASE_URL }: Pick<Env, 'DATABASE_URL'>, command: string): void {
  if (DATABASE_URL) throw new BackupError(`The database is PostgreSQL. Use its own tool: ${command}`)
}

/**
 * Copies the embedded database into a new file while the server goes on reading and writing: one moment of it, whole.
 * The file is complete and on the disk when this returns, or it is not there.
 */
export async function backUp(settings: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>, file: string): Promise<void> {
  requireEmbedded(settings, `pg_dump --format=custom --file=${file} "$DATABASE_URL"`)
  const source = databaseFile(settings.DATA_DIR)
  if (!existsSync(source)) throw new BackupError(`There is no database in ${settings.DATA_DIR}`)
  if (existsSync(file)) throw new BackupError(`${file} exists already`)
  const draft = `${file}.part`
  const db = new DatabaseSync(source, { readOnly: true, timeout: 10_000 })
  try {
    makePrivateFile(draft)
    // In one step: between two steps another connection's write would begin the copy anew.
    await backup(db, draft, { rate: ALL_PAGES })
    settle(draft)
    renameSync(draft, file)
    syncFolder(file)
  } finally {
    db.close()
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true })
  }
}

/** One file, in need of no other one. */
function settle(file: string): void {
  const copy = new DatabaseSync(file)
  copy.exec('pragma journal_mode = delete')
  copy.close()
  sync(file)
}

const sync = (path: string): void => {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

const syncFolder = (file: string): void => sync(dirname(resolve(file)))

/**
 * Puts a copy in the place of the embedded database; the server must not be running. The copy is looked through first, and what
 * was there stays beside it under another name, which is given back.
 */
export function restore(
  settings: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  file: string,
): { kept: string | undefined } {
  requireEmbedded(settings, `pg_restore --clean --if-exists --dbname="$DATABASE_URL" ${file}`)
  requireWhole(file)
  const target = databaseFile(settings.DATA_DIR)
  makeDataDirectory(settings.DATA_DIR)
  const kept = existsSync(target)
    ? `${target}.before-${new Date().toISOString().replaceAll(/\D/g, '')}`
    : undefined
  if (kept) requireUnused(target)
  const draft = `${target}.restored`
  copyFileSync(file, draft)
  chmodSync(draft, 0o600)
  closeDataDirectory(settings.DATA_DIR)
  sync(draft)
  if (kept) renameSync(target, kept)
  renameSync(draft, target)
  sync(settings.DATA_DIR)
  return { kept }
}

function requireWhole(file: string): void {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}`)
  try {
    const copy = new DatabaseSync(file, { readOnly: true })
    const [state] = copy
      .prepare('pragma integrity_check')
      .all()
      .map((row) => Object.values(row)[0])
    const version = Number(copy.prepare('select max(version) as version from migrations').get()?.version)
    copy.close()
    if (state !== 'ok') throw new BackupError(`${file} is damaged: ${state}`)
    if (version > schemaVersion)
      throw new BackupError(
        `${file} was made by a newer version (schema ${version}, this one knows ${schemaVersion})`,
      )
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${file} is no copy of a database of this console`, { cause: error })
  }
}

/** Only the last connection can leave the write-ahead log; with it the database is one file that can be moved. */
function requireUnused(file: string): void {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    const mode = db.prepare('pragma journal_mode = delete').get()?.journal_mode
    if (mode === 'delete') return
  } catch {
    // Somebody has it open.
  } finally {
    db.close()
  }
  throw new BackupError(`${file} is in use: stop the server first`)
}
