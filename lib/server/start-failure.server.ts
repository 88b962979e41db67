import { BackupError } from '#lib/db/backup.server'
import { isDamaged, isUnreachable, isUnwritable } from '#lib/db/dialect.server'
import { NewerSchema } from '#lib/db/schema.server'
import { SettingError } from '#lib/ground/env.server'

/** An error that stops the start. Its message is one line with advice. */
export class StartFailure extends Error {}

/** Runs a step of the start. On a StartFailure it prints the message and ends the process. */
export async function orEnd<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** The reason in one line, if the failure is one of the environment and not of the program. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof SettingError || error instanceof NewerSchema) return message
  if (error instanceof BackupError)
    return `No backup could be made before the upgrade, so nothing was changed: ${message}`
  // node:util, parseArgs. Some of its messages have several lines.
  if (code.startsWith('ERR_PARSE_ARGS_')) return message.replaceAll('\n', ' ')
  if (isUnreachable(error)) return `The database of DATABASE_URL cannot be reached: ${message || code}`
  if (isDamaged(error)) return `The database is damaged: ${message}. Restore a backup.`
  if (isUnwritable(error)) return `The database cannot be written: ${message}`
  return unwritable.has(code) ? `DATA_DIR cannot be written: ${message}` : undefined
}

const unwritable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR'])
