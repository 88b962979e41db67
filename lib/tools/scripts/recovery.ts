import { parseArgs } from 'node:util'
import { closeDatabase, database } from '#lib/db/db.server'
import { Unrecoverable } from '#lib/people/identity/recovery.server'
import { prepare } from '#lib/server/prepare.server'

/** Runs a recovery for `--nick N` and prints the result. On failure it prints one line and sets the exit code. */
export async function recoverFor(recover: (nick: string) => Promise<string>): Promise<void> {
  const { values } = parseArgs({ options: { nick: { type: 'string' } } })
  if (!values.nick) return refuse('--nick N is missing')
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
