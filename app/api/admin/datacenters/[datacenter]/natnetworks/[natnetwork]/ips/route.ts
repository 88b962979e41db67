import { createIpOrRun } from '#lib/cloud/nat/ip-creation.server'
import { natIpCsv } from '#lib/cloud/nat/ips.csv'
import { ipQuery, ipsBulkInput, natIpInput } from '#lib/cloud/nat/ips.schema'
import { listIps } from '#lib/cloud/nat/ips.server'
import { networkTarget } from '#lib/cloud/nat/networks.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listIps, {
  summary: 'List the IPs of a NAT network',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: networkTarget.ids, seen: networkTarget.find },
  query: ipQuery,
  asOf: true,
  answers: { as: 'natips', csv: natIpCsv },
  refuses: ['EN-0', 'VDC-0'],
})

export const POST = writes(createIpOrRun, {
  summary: 'Create a NAT IP, or a run of them',
  who: { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: networkTarget,
  takes: { as: 'natip', body: natIpInput },
  answers: { as: 'natip' },
  or: { takes: { as: 'ipsbulkcreation', body: ipsBulkInput, by: 'numips' }, answers: { as: 'natips' } },
  event: 'natip',
  refuses: ['NAT-IP-5', 'NAT-IP-9', 'NAT-IP-10'],
})
