import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { type Csv, fields, linked, noteColumns } from '#lib/ground/http/csv'

export const natNetworkCsv: Csv<NatNetworkDocument> = {
  filename: 'nat-networks',
  columns: [
    ...fields<NatNetworkDocument>('id', 'name', 'cidr'),
    ...linked('datacenter'),
    ...linked('device'),
    ...fields<NatNetworkDocument>('ips', 'usedIps', 'rules', 'assignable', 'fillsOn'),
    ...noteColumns,
  ],
}
