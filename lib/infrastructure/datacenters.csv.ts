import { type Csv, fields } from '#lib/http/csv'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'

export const datacenterCsv: Csv<DatacenterDocument> = {
  filename: 'datacenters',
  columns: fields<DatacenterDocument>('id', 'name', 'location'),
}
