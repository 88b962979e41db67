import { type Csv, fields, linked } from '#lib/http/csv'
import type { NatIpDocument } from '#lib/nat/ips.schema'

export const natIpCsv: Csv<NatIpDocument> = {
  filename: 'nat-ips',
  columns: [
    ...fields<NatIpDocument>('id', 'ip'),
    ...linked('network', 'natnetwork'),
    ...fields<NatIpDocument>('available', 'quarantine', 'defaultSnat'),
    ...linked('virtualDatacenter'),
    ...linked('enterprise'),
    ...linked('datacenter'),
  ],
}
