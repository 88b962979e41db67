import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { closeDatabase, database, databaseFile } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { Unrecoverable } from '#lib/people/identity/recovery.server'
import { prepare } from '#lib/server/prepare.server'

/** Runs a recovery for `--nick N` and prints the result. On failure it prints one line and sets the exit code. */
export async function recoverFor(recover: (nick: string) => Promise<string>): Promise<void> {
  const { values } = parseArgs({ options: { nick: { type: 'string' } } })
  if (!values.nick) return refuse('--nick N is missing')
  const { DATA_DIR, DATABASE_URL } = env()
  // Elsewhere a new installation would begin, whose administrator has the same nick.
  if (!DATABASE_URL && !existsSync(databaseFile(DATA_DIR)))
    return refuse(
      `There is no database in ${DATA_DIR}. Set DATA_DIR as the server has it, or start the server first.`,
    )
  await prepare()
  try {
    process.stdout.write(`${await recover(values.nick)}\n`)
  } catch (error) {
    if (!(error instanceof Unrecoverable)) throw error
    refuse(error.message)
  } finally {
    await closeDatabase(database())
  }
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
