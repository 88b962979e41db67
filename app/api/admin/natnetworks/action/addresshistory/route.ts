import { addressHistoryQuery } from '#lib/cloud/nat/holdings.schema'
import { listHoldings } from '#lib/cloud/nat/holdings.server'
import { natIpHoldingCsv } from '#lib/cloud/nat/ips.csv'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listHoldings, {
  summary: 'List who holds and who held an address in all datacenters',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  query: addressHistoryQuery,
  answers: { as: 'natipholdings', csv: natIpHoldingCsv },
  refuses: ['CONSTR-PATTERN', 'ASOF-1', 'ASOF-2'],
})
