import { type QueryFunction, queryOptions } from '@tanstack/react-query'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, useChange } from '#lib/client/resources.queries'
import { allNatNetworksPath } from '#lib/cloud/infrastructure/datacenters.queries'
import type {
  NatCheckDocument,
  NatFinding,
  NatFindingCode,
  NatFindingCounts,
} from '#lib/cloud/nat/check.schema'
import type { NatExplanation, NatPacket } from '#lib/cloud/nat/explain.schema'
import { type MendProgress, mendAll } from '#lib/cloud/nat/mend'
import { natChanged, natNetworkPath, natNetworksPath } from '#lib/cloud/nat/networks.queries'
import type { NatSetAsideDocument } from '#lib/cloud/nat/set-asides.schema'
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

/** A finding as a row of a list. */
export type FindingRow = NatFinding & { id: number }

/** A number for the key of a row, the same each time (FNV-1a, in 52 bits of two halves). */
export function rowIdOf(key: string): number {
  let [low, high] = [0x811c9dc5, 0x01234567]
  for (const letter of key) {
    low = Math.imul(low ^ letter.charCodeAt(0), 0x01000193) >>> 0
    high = Math.imul(high ^ letter.charCodeAt(0), 0x85ebca6b) >>> 0
  }
  return (high >>> 12) * 2 ** 32 + low
}

/** The findings as rows of a list. */
export function natFindingRowsQuery(
  place: CheckPlace,
  query: Query,
): ReturnType<typeof collectionQuery<FindingRow>> {
  const path = actionPath(place.datacenter, 'check')
  const asked = place.network === undefined ? query : { ...query, network: place.network }
  const options = collectionQuery<FindingRow>(path, asked, keptAt(place, 'check'))
  const queryFn: QueryFunction<Collection<FindingRow>, readonly unknown[]> = async ({ signal, meta }) => {
    const page = await api<Collection<NatFinding>>(path, { query: asked, signal, meta })
    return { ...page, collection: page.collection.map((row) => ({ ...row, id: rowIdOf(row.identity) })) }
  }
  return { ...options, queryFn }
}

export const findingsCsv = (place: CheckPlace): string => actionPath(place.datacenter, 'check')

type SettingAside = { finding: string; reason: string; until: string }

const setAsidesPath = (datacenter: number): string => `/api${collectionOf(kinds.natsetaside, { datacenter })}`

/** Sets a finding aside until a day. */
export const useSetAside = ({ datacenter }: CheckPlace) =>
  useChange(
    (body: SettingAside, once) =>
      api<NatSetAsideDocument>(setAsidesPath(datacenter), { method: 'POST', body, once }),
    (client) => natChanged(client, datacenter),
  )

/** Shows a finding again, by the id of what set it aside. */
export const useShowAgain = ({ datacenter }: CheckPlace) =>
  useChange(
    (id: number) => api(`${setAsidesPath(datacenter)}/${id}`, { method: 'DELETE' }),
    (client) => natChanged(client, datacenter),
  )

/** The numbers of findings of each datacenter. */
export const natChecksQuery = (query: Query) =>
  collectionQuery<NatCheckDocument>(`${allNatNetworksPath}/action/checkcounts`, query)

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
