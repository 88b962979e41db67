import { sql } from 'kysely'
import { countExposedSecrets } from '#lib/caller/oauth/applications.server'
import { type Database, database } from '#lib/db/db.server'
import { isUnreachable } from '#lib/db/dialect.server'
import { migrate } from '#lib/db/migrate.server'
import { backUpBeforeUpgrade } from '#lib/db/upgrade-backups.server'
import { closeDataDirectory, makeDataDirectory } from '#lib/ground/data-directory.server'
import { type Env, env } from '#lib/ground/env.server'
import { log } from '#lib/ground/log.server'
import { requireSamlSettings } from '#lib/people/saml/pem.server'
import { continueNumbers } from '#lib/record/events/commit-order.server'
import { firstStart } from '#lib/server/first-start.server'
import { rotateKeys } from '#lib/server/key-rotation.server'
import { orEnd, reasonOf, StartFailure } from '#lib/server/start-failure.server'

/** Reads the settings, brings the database up to date, and prints the first administrator's generated password. */
export const prepare = (): Promise<Env> =>
  orEnd(async () => {
    try {
      return await bringUp()
    } catch (cause) {
      const reason = reasonOf(cause)
      throw reason === undefined ? cause : new StartFailure(reason, { cause })
    }
  })

async function bringUp(): Promise<Env> {
  requireSamlSettings()
  const settings = env()
  if (settings.DATABASE_URL) await requireConnection()
  else keepPrivate(settings.DATA_DIR)
  await keepPrevious(settings)
  await migrate(database())
  await continueNumbers(database())
  await rotateKeys()
  await warnOfExposedSecrets()
  const password = await firstStart()
  if (password) {
    process.stdout.write(
      `First administrator: ${settings.ADMIN_NICK}, password ${password} (shown this once)\n`,
    )
  }
  return settings
}

async function keepPrevious(settings: Env): Promise<void> {
  const file = await backUpBeforeUpgrade(settings)
  if (file) process.stdout.write(`The database is backed up to ${file} before the upgrade\n`)
}

/** Earlier versions wrote the secrets of applications into events. */
async function warnOfExposedSecrets(): Promise<void> {
  const applications = await countExposedSecrets(database().read)
  if (applications === 0) return
  log().warn({ applications }, 'secrets of applications were in events: their owners should renew them')
}

/** A failure of the first query has its cause in the address, the network or the settings of the database server. */
export async function requireConnection({ read }: Pick<Database, 'read'> = database()): Promise<void> {
  try {
    await sql`select 1`.execute(read)
  } catch (cause) {
    const { message = '', code = '' } = cause as Error & { code?: string }
    const verb = isUnreachable(cause) ? 'reached' : 'used'
    const reason = (message || code).replaceAll(/\s+/g, ' ')
    throw new StartFailure(`The database of DATABASE_URL cannot be ${verb}: ${reason}`, { cause })
  }
}

/** Earlier versions left the directory readable for other users of the machine. */
function keepPrivate(dataDir: string): void {
  makeDataDirectory(dataDir)
  const open = closeDataDirectory(dataDir)
  if (open.length > 0) log().warn({ paths: open }, 'other users of this machine can read DATA_DIR')
}
