import { existsSync } from 'node:fs'
import { requireSound } from '#lib/db/damage.server'
import { closeDatabase, database, databaseFile } from '#lib/db/db.server'
import { isMigrated } from '#lib/db/migrate.server'
import { env } from '#lib/ground/env.server'
import { type Anchor, Tampered, type Verified, verifyEvents } from '#lib/record/events/verify.server'
import { reasonOf } from '#lib/server/start-failure.server'

/* Compares the events with their seals. Exit code 1: they differ. 2: they could not be compared. */

/** The database cannot be verified. Its message is one line for the terminal. */
class Unverifiable extends Error {}

function anchorIn([text, ...more]: string[]): Anchor | undefined {
  if (text === undefined) return undefined
  const [, number, digest = ''] = /^(\d+):([0-9a-f]{64})$/i.exec(text) ?? []
  if (number === undefined || more.length > 0)
    throw new Unverifiable(
      'Name a seal by its number and digest: cloud-console verify-events NUMBER:DIGEST, in a checkout npm run verify-events -- NUMBER:DIGEST',
    )
  return { number: Number(number), digest: digest.toLowerCase() }
}

async function verify(anchor: Anchor | undefined): Promise<Verified> {
  const { DATA_DIR, DATABASE_URL } = env()
  if (!DATABASE_URL && !existsSync(databaseFile(DATA_DIR)))
    throw new Unverifiable(`There is no database in ${DATA_DIR}`)
  try {
    if (!(await isMigrated(database())))
      throw new Unverifiable('The database belongs to another version of this program')
    return await verifyEvents(database(), anchor)
  } catch (cause) {
    // A damaged page may read as a changed event.
    if (cause instanceof Tampered && !DATABASE_URL) requireSound(databaseFile(DATA_DIR))
    throw cause
  } finally {
    await closeDatabase(database())
  }
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

function* linesOf({ kept, removed, waiting }: Verified): Generator<string> {
  yield `${kept.events} events in ${kept.seals} seals are as they were written`
  if (removed.seals > 0)
    yield `Retention has removed ${removed.events} older events, up to ${dateOf(removed.newest)}; their ${removed.seals} seals are intact`
  if (waiting > 0) yield `${waiting} events wait for their seal`
}

try {
  const verified = await verify(anchorIn(process.argv.slice(2)))
  for (const line of linesOf(verified)) process.stdout.write(`${line}\n`)
} catch (error) {
  const isKnown = error instanceof Tampered || error instanceof Unverifiable
  const reason = isKnown ? error.message : reasonOf(error)
  if (reason === undefined) throw error
  process.stderr.write(`${reason}\n`)
  process.exitCode = error instanceof Tampered ? 1 : 2
}
