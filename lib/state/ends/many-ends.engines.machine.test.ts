import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { attachIps } from '#lib/cloud/nat/attachments.server'
import { chunksOf } from '#lib/db/chunks'
import { database, transaction } from '#lib/db/db.server'
import { endDue } from '#lib/state/ends/ends.server'
import { call, expectStatus } from '#lib/tools/testing/client'
import { newCenter } from '#lib/tools/testing/inventory'
import { addManyIps, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'

const IPS = 11_000
/** The last end is at most this late (ms), with room for a machine that is not idle. */
const latest = { sqlite: 10_000, postgres: 15_000 }

/** Attached NAT IPs of one network that end at one time. */
async function endingIps(endsAt: number) {
  const { id: datacenter } = await newDatacenter()
  const network = await newNetwork({ datacenter, cidr: '10.64.0.0/17' })
  await addManyIps(network, IPS)
  const center = await newCenter({ datacenter })
  const { id: by } = await expectStatus(200, call('GET', '/api/login'))
  const rows = await database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', network.id)
    .select('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  for (const some of chunksOf(ids))
    await transaction(async (trx) => {
      await attachIps(trx, { network: network.id, virtualDatacenter: center.id }, some)
      await trx.updateTable('nat_ips').set({ ends_at: endsAt }).where('id', 'in', some).execute()
      await trx
        .insertInto('end_makers')
        .values(some.map((id) => ({ entity: 'natip', entity_id: id, user_id: by, refused: null })))
        .execute()
    })
  // As PostgreSQL does by itself within a minute.
  await sql`analyze`.execute(database().write)
  return network
}

test('11,000 NAT IPs of one second end within seconds, each with its event', {
  timeout: 300_000,
}, async () => {
  const at = Date.now() + 24 * 60 * 60 * 1000
  const network = await endingIps(at)
  const began = performance.now()
  await endDue(at)
  const took = performance.now() - began
  process.stdout.write(`${database().engine}: ${IPS} ends took ${(took / 1000).toFixed(1)} s\n`)
  const read = (path: string) => expectStatus(200, call('GET', path))
  const { totalSize } = await read(
    `/api/events?entity=natip&action=end&datacenter=${network.datacenter}&limit=1`,
  )
  expect(totalSize).toBe(IPS)
  const path = `${networksPath(network.datacenter)}/${network.id}`
  const free = await read(`${path}/ips?state=free&limit=1`)
  expect(free.totalSize).toBe(IPS)
  expect(took).toBeLessThan(latest[database().engine])
})
