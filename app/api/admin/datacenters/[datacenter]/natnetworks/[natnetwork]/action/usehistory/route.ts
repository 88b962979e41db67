import { kinds } from '#lib/caller/kinds/kinds'
import { networkTarget } from '#lib/cloud/nat/networks.server'
import { useHistoryQuery } from '#lib/cloud/nat/use-history.schema'
import { readUseHistory } from '#lib/cloud/nat/use-history.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readUseHistory, {
  summary: 'Show the use of a NAT network over the last days',
  who: { anyOf: kinds.natnetwork.readers },
  target: networkTarget,
  query: useHistoryQuery,
  answers: { as: 'natusehistory' },
})
