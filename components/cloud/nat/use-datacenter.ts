import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { LoaderFunction } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { holds, useMay } from '#components/base/session/session'
import type { Crumb } from '#components/frame/layout/page'
import type { BulkFilter } from '#components/table/bulk'
import { listLoader, type RequestedTable } from '#components/table/list-loader'
import type { TableSpec } from '#components/table/table-url'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import type { collectionQuery } from '#lib/client/resources.queries'
import { datacenterQuery, datacentersQuery } from '#lib/cloud/infrastructure/datacenters.queries'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { filterText } from '#lib/record/jobs/bulk.queries'

/** The extent of a list: the resources of all visible datacenters, of one, or of one network. */
export type NatPlace = { datacenter: number | undefined; network?: number | undefined }

/** Loads the rows of a list in one datacenter or in all, and the data of `useDatacenter`. */
export const natListLoader =
  <Filter extends string, Row>(
    specOf: (datacenter: number | undefined) => TableSpec<Filter>,
    rowsOf: (
      datacenter: number | undefined,
      table: RequestedTable<Filter>,
    ) => ReturnType<typeof collectionQuery<Row>>,
  ) =>
  (client: QueryClient): LoaderFunction =>
  (args, context) => {
    const { datacenter } = args.params
    const id = datacenter === undefined ? undefined : Number(datacenter)
    const session = client.getQueryData(sessionQuery.queryKey)
    const mayRead = session && holds(session, access.datacenters)
    const load = listLoader(specOf(id), (_, table) =>
      Promise.all([
        client.prefetchQuery(rowsOf(id, table)),
        mayRead && id !== undefined && client.prefetchQuery(datacenterQuery(id)),
      ]),
    )
    return load(client)(args, context)
  }

type OpenDatacenter = {
  name: string
  /** Empty for the screens of all datacenters. */
  crumbs: Crumb[]
  /** `crumbs` with the list of NAT networks, for the screens below that list. */
  natCrumbs: Crumb[]
}

/** The name and the breadcrumbs of a datacenter. Users who cannot list datacenters see its number instead. */
export function useDatacenter(id: number | undefined): OpenDatacenter {
  const say = useTranslations('datacenters')
  const label = useTranslations('labels')
  const isRead = useMay(...access.datacenters) && id !== undefined
  const { data } = useQuery({ ...datacenterQuery(id ?? 0), enabled: isRead })
  const name = data?.document.name ?? say('withId', { id: String(id) })
  const crumbs = isRead
    ? [
        { text: say('title'), href: paths.datacenters() },
        { text: name, href: paths.datacenter(id) },
      ]
    : []
  return { name, crumbs, natCrumbs: [...crumbs, { text: label('natNetworks'), href: paths.natNetworks(id) }] }
}

/** The datacenter of all rows of a list: from the screen, from the filter, or the only visible one. */
export function useOneDatacenter(
  ofScreen: number | undefined,
  filter: string | undefined,
): number | undefined {
  const mayList = useMay(...access.datacenters)
  const known = ofScreen ?? (filter === undefined ? undefined : Number(filter))
  const { data } = useQuery({
    ...datacentersQuery({ limit: 2, by: 'id' }),
    enabled: known === undefined && mayList,
  })
  return known ?? (data?.totalSize === 1 ? data.collection[0]?.id : undefined)
}

/** The filter of a list if all matching rows are in `one` datacenter, because the API changes them in one call only then. */
export function useBulkFilter(query: Parameters<typeof filterText>[0], one: number | undefined): BulkFilter {
  const say = useTranslations('nat.ips')
  const { datacenter: _, ...filters } = query
  return one === undefined ? { refused: say('allInOne') } : filterText(filters)
}

/** The datacenter of a network, an IP or a rule. */
export const datacenterOf = (row: Parameters<typeof linkOf>[0]): number =>
  idOfLink(linkOf(row, 'datacenter')) ?? 0
