import { readAddressMap } from '#lib/nat/address-map.server'
import { addressMapQuery } from '#lib/nat/networks.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Tell how the addresses of a NAT network are used',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    ids: { datacenter: 'DC-0', natnetwork: 'NAT-NET-1' },
    query: addressMapQuery,
    answers: 'addressmap',
  },
  (context) => readAddressMap(context, context.params, context.query),
)
