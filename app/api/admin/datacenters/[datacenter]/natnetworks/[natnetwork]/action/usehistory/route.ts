import { kinds } from '#lib/kinds/kinds'
import { networkTarget } from '#lib/nat/networks.server'
import { useHistoryQuery } from '#lib/nat/use-history.schema'
import { readUseHistory } from '#lib/nat/use-history.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(readUseHistory, {
  summary: 'Show the use of a NAT network over the last days',
  who: { anyOf: kinds.natnetwork.readers },
  target: networkTarget,
  query: useHistoryQuery,
  answers: { as: 'natusehistory' },
})
