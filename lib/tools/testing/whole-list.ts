import { closeDatabase, database } from '#lib/db/db.server'
import { call } from '#lib/tools/testing/client'
import { addManyIps, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'

/*
 * `make COUNT` makes so many NAT IPs and prints the path of their list. `read PATH` reads the full export in JSON, XML and CSV, and prints
 * the size of each in bytes, in a process of its own, whose memory is used only for reading.
 */

const [, , task, argument = ''] = process.argv

async function make(count: number): Promise<string> {
  const { id: datacenter } = await newDatacenter()
  await addManyIps(await newNetwork({ datacenter, cidr: '10.0.0.0/8' }), count)
  return `${networksPath(datacenter)}/action/allips?limit=0`
}

async function read(path: string): Promise<string> {
  const bytes: Record<string, number> = {}
  for (const accept of ['application/json', 'application/xml', 'text/csv']) {
    const { body } = await call('GET', path, { headers: { accept } })
    bytes[accept] = 0
    for await (const piece of body ?? []) bytes[accept] += piece.byteLength
  }
  return JSON.stringify(bytes)
}

process.stdout.write(await (task === 'make' ? make(Number(argument)) : read(argument)))
await closeDatabase(database())
