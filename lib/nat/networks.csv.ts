import { type Csv, fields, linked } from '#lib/http/csv'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'

export const natNetworkCsv: Csv<NatNetworkDocument> = {
  filename: 'nat-networks',
  columns: [
    ...fields<NatNetworkDocument>('id', 'name', 'cidr'),
    ...linked('datacenter'),
    ...linked('device'),
    ...fields<NatNetworkDocument>('ips', 'usedIps', 'rules'),
  ],
}
