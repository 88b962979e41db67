import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, useChange } from '#lib/client/resources.queries'
import type { NatFinding, NatFindingCounts, NatFix } from '#lib/nat/check.schema'
import type { NatExplanation, NatPacket } from '#lib/nat/explain.schema'
import { natChanged, natNetworkPath, natNetworksPath } from '#lib/nat/networks.queries'

const actionPath = (datacenter: number, action: string): string =>
  `${natNetworksPath(datacenter)}/action/${action}`

/** What the check is about: a datacenter, or one of its networks. */
export type CheckPlace = { datacenter: number; network?: number | undefined }

/** Findings of a network are kept below it, so that they are not read again once it is deleted. */
const keptAt = ({ datacenter, network }: CheckPlace, action: string): string =>
  `${network === undefined ? natNetworksPath(datacenter) : natNetworkPath(datacenter, network)}/action/${action}`

/** The numbers of findings. At a million rules the check takes seconds. */
export function natFindingCountsQuery(place: CheckPlace) {
  const { datacenter, network } = place
  const path = actionPath(datacenter, 'checkcounts')
  return queryOptions({
    queryKey: pathKey(keptAt(place, 'checkcounts')) as readonly unknown[],
    queryFn: ({ signal }) => api<NatFindingCounts>(path, { query: { network }, signal }),
    refetchOnWindowFocus: false,
  })
}

export const natFindingsQuery = (place: CheckPlace, query: Query) =>
  collectionQuery<NatFinding>(
    actionPath(place.datacenter, 'check'),
    { ...query, network: place.network },
    keptAt(place, 'check'),
  )

/** What happens to a packet, asked anew each time. */
export function natExplanationQuery(datacenter: number, packet: NatPacket | undefined) {
  const path = actionPath(datacenter, 'explain')
  return queryOptions({
    queryKey: [...pathKey(path), packet] as readonly unknown[],
    queryFn: ({ signal }) => api<NatExplanation>(path, { method: 'POST', body: packet, signal, once: false }),
    enabled: packet !== undefined,
    retry: false,
  })
}

/** Sends the requests of the findings one after the other. Those after a refusal are sent too. */
export const useMend = (datacenter: number) =>
  useChange(
    async (fixes: readonly NatFix[], once) => {
      const failures: Error[] = []
      for (const { method, href, document: body } of fixes)
        try {
          const { pathname } = new URL(href)
          const sent = { ...(body && { body }) }
          await (method === 'POST'
            ? api(pathname, { method, once, ...sent })
            : api(pathname, { method, ...sent }))
        } catch (error) {
          failures.push(error as Error)
        }
      const [first] = failures
      if (first && failures.length === fixes.length) throw first
      return { mended: fixes.length - failures.length, failed: failures.length }
    },
    (client) => natChanged(client, datacenter),
  )
