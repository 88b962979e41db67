import { reads } from '#lib/http/endpoint.server'
import { ipQuery } from '#lib/nat/ips.schema'
import { listIps } from '#lib/nat/ips.server'

export const GET = reads(
  {
    summary: 'List the IPs of a NAT network',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    ids: { datacenter: 'DC-0', natnetwork: 'NAT-NET-1' },
    query: ipQuery,
    answers: 'natips',
  },
  (context) =>
    listIps(
      context,
      { datacenter: context.params.datacenter, network: context.params.natnetwork },
      context.query,
    ),
)
