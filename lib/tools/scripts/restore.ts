import { restore } from '#lib/db/backup.server'
import { pathOfBackup, upgradeBackups } from '#lib/db/upgrade-backups.server'
import { env } from '#lib/ground/env.server'
import { onFile } from '#lib/tools/scripts/on-file'

await onFile(
  'restore',
  async (given) => {
    const settings = env()
    const file = pathOfBackup(settings.DATA_DIR, given)
    const { previous } = restore(settings, file)
    return `The database was restored from ${file}.${previous ? ` The previous database is kept as ${previous}.` : ''} Start the server with the SECRET_KEY that the copy was made with.`
  },
  () => {
    const files = upgradeBackups(env().DATA_DIR)
    return files.length > 0 ? ['Made before upgrades, the last one first:', ...files] : []
  },
)
