import { restore } from '#lib/db/backup.server'
import { env } from '#lib/env.server'
import { onFile } from '#lib/scripts/on-file'

await onFile('restore', async (file) => {
  const { kept } = restore(env(), file)
  return `The database is ${file} now.${kept ? ` What was there is kept as ${kept}.` : ''} Start the server with the SECRET_KEY that it was made with.`
})
