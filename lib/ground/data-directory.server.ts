import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/* DATA_DIR contains password hashes, encrypted secrets and their key. Only the user that runs the server may read it. */

const FOLDER = 0o700
const FILE = 0o600
const OF_OTHERS = 0o077
/** Set on shared directories such as /tmp, whose mode must not change. */
const STICKY = 0o1000

/** Creates the directory if it is missing, accessible only to its owner. */
export const makeDataDirectory = (dataDir: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER })
}

/** Creates the file if it is missing. SQLite gives its WAL files the mode of this file. */
export const makePrivateFile = (file: string): void => closeSync(openSync(file, 'a', FILE))

/** True for the database, the files that SQLite and a restore leave beside it, the key, and the time of the last backup. */
const isOurs = (name: string): boolean => /^(console\.db|secret\.key|last-backup)/.test(name)

/**
 * Removes the access of other users to the directory and its files, which an earlier version or a permissive umask may have granted.
 * Returns the paths where this failed.
 */
export function closeDataDirectory(dataDir: string): string[] {
  const files = readdirSync(dataDir)
    .filter(isOurs)
    .map((name) => [join(dataDir, name), FILE] as const)
  return [[dataDir, FOLDER] as const, ...files]
    .filter(([path, mode]) => !isClosed(path) && !canClose(path, mode))
    .map(([path]) => path)
}

function isClosed(path: string): boolean {
  const { mode } = statSync(path)
  return (mode & OF_OTHERS) === 0 || (mode & STICKY) !== 0
}

function canClose(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode)
    return true
  } catch {
    // The path belongs to another user, or the disk is read-only.
    return false
  }
}
