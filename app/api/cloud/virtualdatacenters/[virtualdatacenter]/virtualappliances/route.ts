import { pageQuery } from '#lib/http/paging'
import { virtualDatacenterTarget } from '#lib/infrastructure/virtual-datacenters.server'
import { virtualApplianceInput, virtualApplianceOrders } from '#lib/machines/virtual-appliances.schema'
import { createVirtualAppliance, listVirtualAppliances } from '#lib/machines/virtual-appliances.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the virtual appliances of a virtual datacenter',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    target: virtualDatacenterTarget,
    query: pageQuery(...virtualApplianceOrders),
    answers: 'virtualappliances',
  },
  listVirtualAppliances,
)

export const POST = writes(
  {
    summary: 'Create a virtual appliance',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: virtualDatacenterTarget,
    takes: 'virtualappliance',
    body: virtualApplianceInput,
    answers: 'virtualappliance',
    ownAccount: 'never',
    event: 'virtualappliance',
  },
  createVirtualAppliance,
)
