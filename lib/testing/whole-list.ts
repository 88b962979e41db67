import { closeDatabase, database } from '#lib/db/db.server'
import { call } from '#lib/testing/client'
import { addIps, networksPath, newDatacenter, newNetwork } from '#lib/testing/nat'

/* A process that makes so many NAT IPs, reads them whole in JSON, XML and CSV, and prints how many bytes each was. */

const count = Number(process.argv[2])
const { id: datacenter } = await newDatacenter()
await addIps(await newNetwork({ datacenter, cidr: '10.0.0.0/8' }), { count })

const bytes: Record<string, number> = {}
for (const accept of ['application/json', 'application/xml', 'text/csv']) {
  const path = `${networksPath(datacenter)}/action/allips?limit=0`
  const { body } = await call('GET', path, { headers: { accept } })
  bytes[accept] = 0
  for await (const piece of body ?? []) bytes[accept] += piece.byteLength
}
process.stdout.write(JSON.stringify(bytes))
await closeDatabase(database())
