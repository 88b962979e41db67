import { AssertionError } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A release, a package or a client that cannot be made. Its message is one line for the terminal, with advice. */
export class ReleaseError extends Error {}

/** Runs a step of a command. What its user or the machine can cause ends the process with one line and exit code 1. */
export async function orEnd<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    process.stderr.write(`${reason}\n`)
    process.exit(1)
  }
}

/** A folder that is removed when the process ends, also by Ctrl+C. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  return folder
}

/** Undefined for an error of the program itself. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof ReleaseError) return error.message
  if (error instanceof AssertionError) return `${placeOf(error)}: ${inOneLine(error.message)}`
  // A file that cannot be written, a program that is missing, or one that has failed.
  return 'syscall' in error || 'status' in error ? inOneLine(error.message) : undefined
}

const placeOf = ({ stack = '' }: Error): string => /lib\/tools\/[^\s)]+/.exec(stack)?.[0] ?? 'A check'

const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 500)

/** Names what is missing before any work begins. `packages`: those of Debian that have the programs. */
export function requirePrograms(programs: readonly string[], packages: string): void {
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error)
  if (missing.length > 0)
    throw new ReleaseError(`Not installed: ${missing.join(', ')}. On Debian: apt-get install ${packages}`)
}
