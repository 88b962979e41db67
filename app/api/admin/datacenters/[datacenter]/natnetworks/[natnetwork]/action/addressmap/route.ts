import { readAddressMap } from '#lib/cloud/nat/address-map.server'
import { addressMapQuery } from '#lib/cloud/nat/networks.schema'
import { networkTarget } from '#lib/cloud/nat/networks.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readAddressMap, {
  summary: 'Show how the addresses of a NAT network are used',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: networkTarget,
  query: addressMapQuery,
  asOf: true,
  answers: { as: 'addressmap' },
})
