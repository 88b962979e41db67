import { parseArgs } from 'node:util'
import { closeDatabase, database, transaction } from '#lib/db/db.server'
import { importRoutes } from '#lib/request/pipeline/routes.server'
import { prepare } from '#lib/server/prepare.server'
import { sampleCloud } from '#lib/tools/sample/cloud.server'
import { beforeThePast, samplePast } from '#lib/tools/sample/past.server'

/* Fills an empty installation with the sample cloud and its past. A process of its own, because the past sets the clock. */

const { values } = parseArgs({ options: { now: { type: 'string', default: new Date().toISOString() } } })
const now = Date.parse(values.now)
let password = ''
await importRoutes()
await beforeThePast(now, async () => {
  password = (await prepare()).ADMIN_PASSWORD ?? ''
  // Rows of the first start count as older than the past.
  await transaction((trx) => trx.deleteFrom('past_rows').execute())
  await sampleCloud(password)
})
await samplePast(password, now)
await closeDatabase(database())
