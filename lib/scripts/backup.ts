import { backUp } from '#lib/db/backup.server'
import { env } from '#lib/env.server'
import { onFile } from '#lib/scripts/on-file'

await onFile('backup', async (file) => {
  const settings = env()
  await backUp(settings, file)
  return `${file} holds the database as it was a moment ago. Keep SECRET_KEY (or ${settings.DATA_DIR}/secret.key) too, apart from it: without the key its passwords of devices, secrets of two factor and of applications cannot be read.`
})
