import { virtualDatacenterTarget } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { virtualApplianceInput } from '#lib/cloud/machines/virtual-appliances.schema'
import {
  createVirtualAppliance,
  listVirtualAppliances,
  virtualApplianceCsv,
} from '#lib/cloud/machines/virtual-appliances.server'
import { changed, nameQuery } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listVirtualAppliances, {
  summary: 'List the virtual appliances of a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: virtualDatacenterTarget,
  query: nameQuery.extend({ changed, tag }),
  asOf: true,
  answers: { as: 'virtualappliances', csv: virtualApplianceCsv },
})

export const POST = writes(createVirtualAppliance, {
  summary: 'Create a virtual appliance',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: virtualDatacenterTarget,
  takes: { as: 'virtualappliance', body: virtualApplianceInput },
  answers: { as: 'virtualappliance' },
  event: 'virtualappliance',
})
