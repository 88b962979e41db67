import { database } from '#lib/db/db.server'
import { migrate } from '#lib/db/migrate.server'
import { type Env, env, SettingError } from '#lib/env.server'
import { requireSamlSettings } from '#lib/saml/pem.server'
import { firstStart } from '#lib/server/first-start.server'
import { rotateKeys } from '#lib/server/key-rotation.server'

/** Reads the settings, brings the database up to date, and prints the first administrator's generated password. */
export async function prepare(): Promise<Env> {
  const settings = settingsOrExit()
  await migrate(database())
  await rotateKeys()
  const password = await firstStart()
  if (password) {
    process.stdout.write(
      `First administrator: ${settings.ADMIN_NICK}, password ${password} (shown this once)\n`,
    )
  }
  return settings
}

/** The settings, or one line that names the bad one and the end. */
function settingsOrExit(): Env {
  try {
    requireSamlSettings()
    return env()
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
