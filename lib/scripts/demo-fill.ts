import { parseArgs } from 'node:util'
import { closeDatabase, database, transaction } from '#lib/db/db.server'
import { importRoutes } from '#lib/pipeline/routes.server'
import { sampleCloud } from '#lib/sample/cloud.server'
import { beforeThePast, samplePast } from '#lib/sample/past.server'
import { prepare } from '#lib/server/prepare.server'

/* Fills an empty installation with the sample cloud and its past. A process of its own, because the past sets the clock. */

const { values } = parseArgs({ options: { now: { type: 'string', default: new Date().toISOString() } } })
const now = Date.parse(values.now)
let password = ''
await importRoutes()
await beforeThePast(now, async () => {
  password = (await prepare()).ADMIN_PASSWORD ?? ''
  // What the first start made counts as older than the past.
  await transaction((trx) => trx.deleteFrom('past_rows').execute())
  await sampleCloud(password)
})
await samplePast(password, now)
await closeDatabase(database())
