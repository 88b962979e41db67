import { restore } from '#lib/db/backup.server'
import { env } from '#lib/ground/env.server'
import { onFile } from '#lib/tools/scripts/on-file'

await onFile('restore', async (file) => {
  const { previous } = restore(env(), file)
  return `The database was restored from ${file}.${previous ? ` The previous database is kept as ${previous}.` : ''} Start the server with the SECRET_KEY that the copy was made with.`
})
