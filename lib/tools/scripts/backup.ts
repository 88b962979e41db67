import { backUp } from '#lib/db/backup.server'
import { env } from '#lib/ground/env.server'
import { onFile } from '#lib/tools/scripts/on-file'

await onFile('backup', async (file) => {
  const settings = env()
  await backUp(settings, file)
  return `${file} now contains a copy of the database. Also keep SECRET_KEY (or ${settings.DATA_DIR}/secret.key), but not in the same place: without it, device passwords and the secrets of two factor and applications cannot be read.`
})
