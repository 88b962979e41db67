import { parseArgs } from 'node:util'
import { closeDatabase, database } from '#lib/db/db.server'
import { sampleCloud } from '#lib/sample/cloud.server'
import { samplePast } from '#lib/sample/past.server'
import { prepare } from '#lib/server/prepare.server'

/* Fills an empty installation with the sample cloud and its past. A process of its own, because the past sets the clock. */

const { values } = parseArgs({ options: { now: { type: 'string', default: new Date().toISOString() } } })
const { ADMIN_PASSWORD = '' } = await prepare()
await sampleCloud(ADMIN_PASSWORD)
await samplePast(ADMIN_PASSWORD, Date.parse(values.now))
await closeDatabase(database())
