import { createIpOrRun } from '#lib/nat/ip-creation.server'
import { natIpCsv } from '#lib/nat/ips.csv'
import { ipQuery, ipsBulkInput, natIpInput } from '#lib/nat/ips.schema'
import { listIps } from '#lib/nat/ips.server'
import { networkTarget } from '#lib/nat/networks.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { datacenter: 'DC-0', natnetwork: 'NAT-NET-1' } as const

export const GET = reads(
  {
    summary: 'List the IPs of a NAT network',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    target: { ids },
    query: ipQuery,
    answers: 'natips',
    refuses: ['EN-0', 'VDC-0'],
    csv: natIpCsv,
  },
  (context) =>
    listIps(
      context,
      { datacenter: context.params.datacenter, network: context.params.natnetwork },
      context.query,
    ),
)

export const POST = writes(
  {
    summary: 'Create a NAT IP, or a run of them',
    anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    target: networkTarget,
    takes: 'natip',
    body: natIpInput,
    answers: 'natip',
    or: { takes: 'ipsbulkcreation', body: ipsBulkInput, by: 'numips', answers: 'natips' },
    refuses: ['NAT-IP-5', 'NAT-IP-9', 'NAT-IP-10'],
    ownAccount: 'never',
    event: 'natip',
  },
  createIpOrRun,
)
