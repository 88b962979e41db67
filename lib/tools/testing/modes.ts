import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The permissions of a file, in octal digits. */
export const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

/** The modes of a directory, as `.`, and of the files in it. */
export const modesIn = (directory: string): Record<string, string> =>
  Object.fromEntries([
    ['.', modeOf(directory)],
    ...readdirSync(directory).map((name) => [name, modeOf(join(directory, name))]),
  ])

/** One that everybody may read, until the end of the test. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-modes-'))
  chmodSync(directory, 0o755)
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}
