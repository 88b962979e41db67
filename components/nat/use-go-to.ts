import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import type { TableState } from '#components/table/use-table-state'
import type { Query } from '#lib/client/resources.queries'
import { ipPositionQuery } from '#lib/nat/ips.queries'
import type { NatIpDocument, NatIpPosition } from '#lib/nat/ips.schema'
import { formatAddress, parseAddress } from '#lib/net/addresses'

type Options = {
  datacenter: number
  table: Pick<TableState<string>, 'page' | 'size' | 'asc' | 'by' | 'searchOfPage'>
  /** What the list is asked for, without its page and order. */
  filters: Query
  /** What the table puts before the names of its parameters in the URL. */
  prefix: string
}

/** An address in any spelling, as the lists write it. */
export function canonical(text: string): string | undefined {
  const parsed = parseAddress(text.trim())
  return parsed && formatAddress(parsed.version, parsed.value)
}

export type GoTo = ReturnType<typeof useGoTo>

/** Opens the page of a list of IPs where an address stands, or would stand; the URL remembers the address. */
export function useGoTo({ datacenter, table, filters, prefix }: Options) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const parameter = `${prefix}at`
  const at = canonical(search.get(parameter) ?? '')
  const isByIp = table.by === 'ip'
  const positionOf = (ip: string) =>
    ipPositionQuery(datacenter, { ...filters, ip, asc: isByIp && !table.asc ? false : undefined })
  const position = useQuery({ ...positionOf(at ?? ''), enabled: at !== undefined && isByIp })

  const searchWith = (page: number, ip: string | undefined): string => {
    const changed = new URLSearchParams(table.searchOfPage(page))
    if (!isByIp) for (const name of ['by', 'asc']) changed.delete(prefix + name)
    if (ip === undefined) changed.delete(parameter)
    else changed.set(parameter, ip)
    return `?${changed}`
  }

  const place = isByIp && at !== undefined ? position.data : undefined
  const page = place && pageOf(place, table.size)
  return {
    at,
    position: place,
    /** A link to an address names no page: where it then has to lead. */
    searchOfPlace:
      page !== undefined && page !== table.page && !search.has(`${prefix}page`)
        ? searchWith(page, at)
        : undefined,
    /** Throws what the API answers. */
    go: async (ip: string): Promise<void> => {
      const found = await client.fetchQuery(positionOf(ip))
      void navigate({ search: searchWith(pageOf(found, table.size), ip) }, { preventScrollReset: true })
    },
    leave: () => void navigate({ search: searchWith(table.page, undefined) }, { preventScrollReset: true }),
  }
}

const pageOf = ({ position }: NatIpPosition, size: number): number => Math.floor(position / size) + 1

/** The neighbours of an address that is not there, as far as they are on the page that is shown. */
export function neighboursOf(
  { position }: NatIpPosition,
  { page, size }: Pick<TableState, 'page' | 'size'>,
  rows: readonly NatIpDocument[],
): { before: string | undefined; after: string | undefined } {
  const index = position - (page - 1) * size
  return { before: rows[index - 1]?.ip, after: rows[index]?.ip }
}
