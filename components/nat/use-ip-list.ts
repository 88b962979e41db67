import { useQuery } from '@tanstack/react-query'
import { useTableState } from '#components/layout/use-table-state'
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

/** The state of a list of IPs and what it asks the API: those that are not available too, unless a filter says so. */
export function useIpList(datacenter: number, network: number | undefined) {
  const isOne = network !== undefined
  const table = useTableState<keyof typeof filters>({
    name: isOne ? 'network-ips' : 'nat-ips',
    ...(isOne && { prefix: 'ips' }),
    by: 'ip',
    orders: natIpOrders,
    filters: isOne ? { ...ofOne, network: [] } : filters,
  })
  const { startwith, limit, by, asc, ip, has, ...narrowed } = {
    ip: undefined,
    ...table.query,
    ...table.filters,
  }
  const asked = { ...narrowed, has: ip ?? has, all: true }
  const query = { startwith, limit, by, asc, ...asked }
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
