import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Crumb } from '#components/layout/page'
import { access } from '#components/screens/access'
import { paths } from '#components/screens/paths'
import { holds, useMay } from '#components/session/session'
import { listLoader, type RequestedTable } from '#components/table/list-loader'
import type { TableSpec } from '#components/table/table-url'
import { sessionQuery } from '#lib/auth/session.queries'
import type { collectionQuery } from '#lib/client/resources.queries'
import { datacenterQuery } from '#lib/infrastructure/datacenters.queries'

/** Loads the rows of a list in a datacenter, and the data of `useDatacenter`. */
export const datacenterListLoader = <Filter extends string, Row>(
  spec: TableSpec<Filter>,
  rowsOf: (datacenter: number, table: RequestedTable<Filter>) => ReturnType<typeof collectionQuery<Row>>,
) =>
  listLoader(spec, async (client, table, params) => {
    const id = Number(params.datacenter)
    const session = client.getQueryData(sessionQuery.queryKey)
    const mayRead = session && holds(session, access.datacenters)
    await Promise.all([
      client.prefetchQuery(rowsOf(id, table)),
      mayRead && client.prefetchQuery(datacenterQuery(id)),
    ])
  })

type OpenDatacenter = {
  name: string
  crumbs: Crumb[]
  /** `crumbs` with the list of NAT networks, for the screens below that list. */
  natCrumbs: Crumb[]
}

/** The name and the breadcrumbs of a datacenter. Users who cannot list datacenters see its number instead. */
export function useDatacenter(id: number): OpenDatacenter {
  const say = useTranslations('datacenters')
  const label = useTranslations('labels')
  const mayRead = useMay(...access.datacenters)
  const { data } = useQuery({ ...datacenterQuery(id), enabled: mayRead })
  const name = data?.document.name ?? say('withId', { id: String(id) })
  const datacenters = { text: say('title'), href: paths.datacenters() }
  const crumbs = mayRead ? [datacenters, { text: name, href: paths.datacenter(id) }] : []
  return { name, crumbs, natCrumbs: [...crumbs, { text: label('natNetworks'), href: paths.natNetworks(id) }] }
}
