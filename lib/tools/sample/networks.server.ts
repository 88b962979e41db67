import type { Caller } from '#lib/caller/auth/privileges'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { createIps } from '#lib/cloud/nat/ip-creation.server'
import { createNetwork, networkReferences } from '#lib/cloud/nat/networks.server'
import type { Trx } from '#lib/db/db.server'
import type { SampleDatacenter, SampleNetwork } from '#lib/tools/sample/kinds'
import * as names from '#lib/tools/sample/names'

/** Nine networks with IPs in every state: most are available, some unavailable, some in quarantine. */
export async function sampleNetworks(
  trx: Trx,
  caller: Caller,
  places: SampleDatacenter[],
): Promise<SampleNetwork[]> {
  const made: SampleNetwork[] = []
  for (const [index, place] of places.entries()) {
    for (const network of names.networks[index] ?? []) {
      const body = {
        name: network.name,
        cidr: network.cidr,
        links: { device: place.devices[network.device] },
        ...noNotes,
      }
      const references = await networkReferences({ db: trx, params: { datacenter: place.id } }, body)
      const { id } = await createNetwork({ caller, db: trx, found: place, body, references })
      const row = { id, datacenter_id: place.id, cidr: network.cidr }
      const unavailable = Math.floor(network.ips / 12)
      const quarantined = Math.floor(network.ips / 25)
      for (const ips of [
        { count: network.ips - unavailable - quarantined },
        { count: unavailable, available: false },
        { count: quarantined, quarantine: true },
      ])
        if (ips.count > 0) await createIps(trx, row, ips)
      made.push({ id, datacenter: place.id, version: network.cidr.includes(':') ? 6 : 4 })
    }
  }
  return made
}
