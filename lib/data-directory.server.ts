import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/* DATA_DIR holds password hashes, encrypted secrets and the key that opens them: nobody but the server's own user reads there. */

const FOLDER = 0o700
const FILE = 0o600
const OF_OTHERS = 0o077
/** Such as /tmp: it is everybody's, whatever DATA_DIR says. */
const STICKY = 0o1000

/** Creates the directory where it is missing, for its owner alone. */
export const makeDataDirectory = (dataDir: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER })
}

/** Creates the file where it is missing. SQLite gives the files beside it the mode of this one. */
export const makePrivateFile = (file: string): void => closeSync(openSync(file, 'a', FILE))

/** The files of ours: the database with what SQLite and a restore leave beside it, and the key. */
const isOurs = (name: string): boolean => /^(console\.db|secret\.key)/.test(name)

/**
 * Takes the rights of others from a directory and its files that an earlier version, or a generous umask, has given them. Gives
 * those of which that is not allowed.
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
    // It belongs to somebody else, or the disk can only be read.
    return false
  }
}
