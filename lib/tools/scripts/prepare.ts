import { closeDatabase, database } from '#lib/db/db.server'
import { prepare } from '#lib/server/prepare.server'

await prepare()
await closeDatabase(database())
