import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { requireSound } from '#lib/db/damage.server'
import { databaseFile } from '#lib/db/db.server'
import { isDamaged, isUnwritable } from '#lib/db/dialect.server'
import { schemaVersion } from '#lib/db/migrate.server'
import { closeDataDirectory, makeDataDirectory, makePrivateFile } from '#lib/ground/data-directory.server'
import type { Env } from '#lib/ground/env.server'

/** A failed backup or restore. Its message is one line for the terminal. */
export class BackupError extends Error {}

const ALL_PAGES = 2 ** 31 - 1

/** Backups of PostgreSQL are left to its own tools. */
function requireEmbedded({ DATABASE_URL }: Pick<Env, 'DATABASE_URL'>, command: string): void {
  if (DATABASE_URL) throw new BackupError(`The database is PostgreSQL. Use its own tool: ${command}`)
}

/** Writes a consistent snapshot of the embedded database to a new file while the server runs. The file is complete and synced, or absent. */
export async function backUp(settings: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>, file: string): Promise<void> {
  requireEmbedded(settings, `pg_dump --format=custom --file=${file} "$DATABASE_URL"`)
  const source = databaseFile(settings.DATA_DIR)
  if (!existsSync(source)) throw new BackupError(`There is no database in ${settings.DATA_DIR}`)
  if (existsSync(file)) throw new BackupError(`${file} already exists`)
  await copyTo(file, source)
  noteBackup(settings.DATA_DIR)
}

/** Writes the snapshot beside the file and puts it in its place, complete and synced. */
export async function copyTo(file: string, source: string): Promise<void> {
  const draft = `${file}.part`
  try {
    makePrivateFile(draft)
  } catch (error) {
    throw failureOf(error, file)
  }
  const db = new DatabaseSync(source, { readOnly: true, timeout: 10_000 })
  try {
    // All pages in one step: SQLite restarts the backup if another connection writes between two steps.
    await backup(db, draft, { rate: ALL_PAGES })
    leaveWalMode(draft)
    // A copy of a damaged database is as damaged.
    requireSound(draft)
    renameSync(draft, file)
    syncFolder(file)
  } catch (error) {
    throw failureOf(error, file)
  } finally {
    db.close()
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true })
  }
}

/** An empty file, whose time is that of the last backup. */
const noteOf = (dataDir: string): string => join(dataDir, 'last-backup')

/** A backup that cannot be noted is a backup all the same. */
function noteBackup(dataDir: string): void {
  try {
    rmSync(noteOf(dataDir), { force: true })
    makePrivateFile(noteOf(dataDir))
  } catch (error) {
    if (!(error instanceof Error && unwritable.has('code' in error ? String(error.code) : ''))) throw error
  }
}

/** When the embedded database was last backed up, in seconds since 1970; 0 if never. */
export const lastBackup = (dataDir: string): number =>
  (statSync(noteOf(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000

/** Errors of the file system for files that cannot be written. */
const unwritable = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EEXIST'])

/** Throws BackupError if the environment is the cause, otherwise the error itself. */
export function failureOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  const { message } = error
  if (isDamaged(error))
    return new BackupError(`The database is damaged, so no copy was made: ${message}`, { cause: error })
  if (isUnwritable(error) || unwritable.has('code' in error ? String(error.code) : ''))
    return new BackupError(`${file} cannot be written: ${message}`, { cause: error })
  return error
}

/** Leaves WAL mode, so that the backup is a single file. */
function leaveWalMode(file: string): void {
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

/** Checks a backup and replaces the embedded database with it. The server must not run. Returns the new name of the previous database. */
export function restore(
  settings: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  file: string,
): { previous: string | undefined } {
  requireEmbedded(settings, `pg_restore --clean --if-exists --dbname="$DATABASE_URL" ${file}`)
  requireIntact(file)
  const target = databaseFile(settings.DATA_DIR)
  makeDataDirectory(settings.DATA_DIR)
  const previous = existsSync(target)
    ? `${target}.before-${new Date().toISOString().replaceAll(/\D/g, '')}`
    : undefined
  if (previous) requireUnused(target)
  const draft = `${target}.restored`
  try {
    // A link would lead the copy elsewhere.
    if (lstatSync(draft, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(draft)
    copyFileSync(file, draft)
    chmodSync(draft, 0o600)
    closeDataDirectory(settings.DATA_DIR)
    sync(draft)
  } catch (error) {
    rmSync(draft, { force: true })
    throw failureOf(error, draft)
  }
  if (previous)
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(`${target}${end}`)) renameSync(`${target}${end}`, `${previous}${end}`)
  renameSync(draft, target)
  sync(settings.DATA_DIR)
  return { previous }
}

function requireIntact(file: string): void {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}`)
  try {
    const copy = new DatabaseSync(file, { readOnly: true })
    const [state] = copy
      .prepare('pragma integrity_check')
      .all()
      .map((row) => Object.values(row)[0])
    const version = Number(copy.prepare('select max(version) as version from migrations').get()?.version)
    // Throws for another program's database that has such a table, too.
    copy.prepare('select id from users limit 1').get()
    copy.close()
    if (state !== 'ok') throw new BackupError(`${file} is damaged: ${state}`)
    if (version > schemaVersion)
      throw new BackupError(
        `${file} was made by a newer version: its schema is ${version}, this version supports up to ${schemaVersion}`,
      )
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${file} is damaged, or is not a backup of a database of this console`, {
      cause: error,
    })
  }
}

/** Leaves WAL mode, which only the last connection can do. Without a WAL the database is one file that can be moved. */
function requireUnused(file: string): void {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    const mode = db.prepare('pragma journal_mode = delete').get()?.journal_mode
    if (mode === 'delete') return
  } catch (error) {
    // A damaged file may be replaced. Any other error means that another connection has the file open.
    if (isDamaged(error)) return
  } finally {
    db.close()
  }
  throw new BackupError(`${file} is in use: stop the server first`)
}
