import { useQueries } from '@tanstack/react-query'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import { natNetworksQuery } from '#lib/nat/networks.queries'
import { countedNetworks, type NatUse, natUseOf } from './nat-use'

export type DatacenterUse = { datacenter: DatacenterDocument; use: NatUse }

/** How the NAT networks of these datacenters are used: all of them, or why one could not be read. */
export const useNatUse = (
  datacenters: readonly DatacenterDocument[],
): { uses: DatacenterUse[] | undefined; error: Error | undefined; retry: () => void } =>
  useQueries({
    queries: datacenters.map(({ id }) => ({
      ...natNetworksQuery(id, { limit: countedNetworks, by: 'name' }),
      select: natUseOf,
    })),
    combine: (results) => {
      const failed = results.filter(({ error, data }) => error && !data)
      const uses = datacenters.flatMap((datacenter, index) => {
        const use = results[index]?.data
        return use ? [{ datacenter, use }] : []
      })
      return {
        uses: uses.length === datacenters.length ? uses : undefined,
        error: failed[0]?.error ?? undefined,
        retry: () => failed.forEach(({ refetch }) => void refetch()),
      }
    },
  })
