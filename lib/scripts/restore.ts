import { restore } from '#lib/db/backup.server'
import { env } from '#lib/env.server'
import { onFile } from '#lib/scripts/on-file'

await onFile('restore', async (file) => {
  const { kept } = restore(env(), file)
  return `The database was restored from ${file}.${kept ? ` The previous database is kept as ${kept}.` : ''} Start the server with the SECRET_KEY that the copy was made with.`
})
