import type { NatIpHolding } from '#lib/cloud/nat/holdings.schema'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { type Csv, fields, linked, noteColumns } from '#lib/ground/http/csv'

export const natIpCsv: Csv<NatIpDocument> = {
  filename: 'nat-ips',
  columns: [
    ...fields<NatIpDocument>('id', 'ip'),
    ...linked('network', 'natnetwork'),
    ...fields<NatIpDocument>('available', 'quarantine', 'defaultSnat'),
    ...linked('virtualDatacenter'),
    ...linked('enterprise'),
    ...linked('datacenter'),
    ...noteColumns,
    ...fields<NatIpDocument>('ends'),
  ],
}

export const natIpHoldingCsv: Csv<NatIpHolding> = {
  filename: 'nat-ip-history',
  columns: [
    ...fields<NatIpHolding>('ip'),
    ...linked('network', 'natnetwork'),
    ...linked('virtualDatacenter'),
    ...linked('enterprise'),
    ...fields<NatIpHolding>('from', 'fromEarlier', 'to', 'user'),
    ...linked('datacenter'),
  ],
}
