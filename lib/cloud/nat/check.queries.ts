import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, useChange } from '#lib/client/resources.queries'
import type { NatFinding, NatFindingCode, NatFindingCounts } from '#lib/cloud/nat/check.schema'
import type { NatExplanation, NatPacket } from '#lib/cloud/nat/explain.schema'
import { type MendProgress, mendAll } from '#lib/cloud/nat/mend'
import { natChanged, natNetworkPath, natNetworksPath } from '#lib/cloud/nat/networks.queries'
import type { Collection } from '#lib/ground/http/view'

const actionPath = (datacenter: number, action: string): string =>
  `${natNetworksPath(datacenter)}/action/${action}`

/** The subject of a check: a datacenter, or one of its networks. */
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
    queryFn: ({ signal, meta }) => api<NatFindingCounts>(path, { query: { network }, signal, meta }),
    refetchOnWindowFocus: false,
  })
}

export const natFindingsQuery = (place: CheckPlace, query: Query) =>
  collectionQuery<NatFinding>(
    actionPath(place.datacenter, 'check'),
    { ...query, network: place.network },
    keptAt(place, 'check'),
  )

/** The path of a packet, read again each time. */
export function natExplanationQuery(datacenter: number, packet: NatPacket | undefined) {
  const path = actionPath(datacenter, 'explain')
  return queryOptions({
    queryKey: [...pathKey(path), packet] as readonly unknown[],
    queryFn: ({ signal }) => api<NatExplanation>(path, { method: 'POST', body: packet, signal, once: false }),
    enabled: packet !== undefined,
    retry: false,
  })
}

type Mending = {
  of: { finding: NatFinding } | { code: NatFindingCode }
  noted: (progress: MendProgress) => void
  signal: AbortSignal
}

/** Findings that are read at once. */
const BATCH = 100

/** Fixes one finding, or all of a code. */
export const useMend = (place: CheckPlace) =>
  useChange(
    async ({ of, noted, signal }: Mending, once) => {
      const query = { network: place.network, limit: BATCH }
      const done = await mendAll({
        read: async (startwith) =>
          'finding' in of
            ? { collection: [of.finding], totalSize: 1 }
            : api<Collection<NatFinding>>(actionPath(place.datacenter, 'check'), {
                query: { ...query, code: of.code, startwith },
                meta: undefined,
              }),
        send: ({ method, href, document: body }) => {
          const { pathname } = new URL(href)
          const sent = { ...(body && { body }) }
          return method === 'POST'
            ? api(pathname, { method, once, ...sent })
            : api(pathname, { method, ...sent })
        },
        noted,
        signal,
      })
      return { ...done, isStopped: signal.aborted }
    },
    (client) => natChanged(client, place.datacenter),
  )
