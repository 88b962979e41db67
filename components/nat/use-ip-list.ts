import { useQuery } from '@tanstack/react-query'
import type { AskedTable } from '#components/table/list-loader'
import type { TableSpec } from '#components/table/table-url'
import { useTableState } from '#components/table/use-table-state'
import { natIpsQuery } from '#lib/nat/ips.queries'
import { natIpOrders } from '#lib/nat/ips.schema'

const yesOrNo = ['true', 'false']

const filters = {
  ip: 'text',
  available: yesOrNo,
  quarantine: yesOrNo,
  snatdefault: ['true'],
  attached: yesOrNo,
  network: 'id',
  enterprise: 'id',
  virtualdatacenter: 'id',
} as const

const { network: _, ...ofOne } = filters

type Filter = keyof typeof filters

/** What the list of IPs of a datacenter, or of one network of it, keeps in the address. */
export const ipListSpec = (isOne: boolean): TableSpec<Filter> & { name: string } => ({
  name: isOne ? 'network-ips' : 'nat-ips',
  ...(isOne && { prefix: 'ips' }),
  by: 'ip',
  orders: natIpOrders,
  filters: isOne ? { ...ofOne, network: [] } : filters,
})

/** What a view of the list asks the API: those that are not available too, unless a filter says so. */
export function ipListQuery(table: AskedTable<Filter>) {
  const { startwith, limit, by, asc, ip, has, ...narrowed } = {
    ip: undefined,
    ...table.query,
    ...table.filters,
  }
  const asked = { ...narrowed, has: ip ?? has, all: true }
  return { asked, query: { startwith, limit, by, asc, ...asked } }
}

/** The state of a list of IPs and what it asks the API. */
export function useIpList(datacenter: number, network: number | undefined) {
  const isOne = network !== undefined
  const table = useTableState(ipListSpec(isOne))
  const { asked, query } = ipListQuery(table)
  return {
    table: {
      ...table,
      // A text beside the filters looks for an address, as the filter by IP does.
      setSearch: (text: string, chosen: Readonly<Partial<Record<string, string>>>) =>
        table.setSearch('', { ...chosen, ...(text !== '' && { ip: text }) }),
    },
    query,
    /** What narrows it, for who asks where an address stands. */
    filters: { ...asked, ...(isOne && { network }) },
    list: useQuery(natIpsQuery(datacenter, network, query)),
  }
}
