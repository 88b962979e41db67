import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useSession } from '#components/base/session/session'
import { Facets } from '#components/kit/filter'
import { SignOf } from '#components/kit/state'
import { signs } from '#components/table/cells'
import type { TableState } from '#components/table/use-table-state'
import type { Query } from '#lib/client/resources.queries'
import { natIpStatesQuery } from '#lib/cloud/nat/ips.queries'
import { natIpStates } from '#lib/cloud/nat/ips.schema'
import { natUseQuery } from '#lib/cloud/nat/networks.queries'
import type { NatUseDocument } from '#lib/cloud/nat/networks.schema'
import type { Collection } from '#lib/ground/http/view'
import { kinds } from './cells'

/** Of more datacenters the sum is not known. */
const MOST = 500

/** The IPs of these datacenters, or of one of them, that are in use, by any holder. */
function usedIn(uses: Collection<NatUseDocument> | undefined, datacenter: number | undefined) {
  if (!uses || uses.totalSize > MOST) return undefined
  return uses.collection
    .filter(({ id }) => datacenter === undefined || id === datacenter)
    .reduce((sum, { usedIps }) => sum + usedIps, 0)
}

type StateChipsProps = {
  /** If absent, the IPs of all datacenters are counted. */
  datacenter: number | undefined
  /** If absent, the list is of all networks. */
  network: number | undefined
  /** The IPs of the network that are in use, by any holder. If absent, those of the datacenter, or of all. */
  used?: number | undefined
  /** The filters of the list. */
  filters: Query
  table: Pick<TableState<'state' | 'datacenter'>, 'has' | 'filters' | 'setSearch'>
}

/** The number of the filtered IPs in each state. A click filters by the state, another click removes the filter. */
export function StateChips({ datacenter, network, used, filters, table }: StateChipsProps) {
  const label = useTranslations('labels')
  const say = useTranslations('nat.states')
  const format = useFormatter()
  const { state: _, ...rest } = filters
  const { data } = useQuery(natIpStatesQuery(datacenter, network, rest))
  const { state: chosen, ...without } = table.filters
  const { scope } = useSession()
  const isWhole = table.has === '' && Object.keys(table.filters).length === 0
  const isLimited = isWhole && !scope.allEnterprises
  const uses = useQuery({
    ...natUseQuery({ by: 'name', limit: MOST }),
    enabled: isLimited && used === undefined,
  })
  const inUse = used ?? usedIn(uses.data, datacenter)
  const others = isLimited && inUse !== undefined && data ? inUse - data.attached : 0
  return (
    <>
      <Facets
        label={label('state')}
        facets={natIpStates.flatMap((state) => {
          const count = data?.[state]
          if (data && count === undefined) return []
          return [{ id: state, name: say(state), sign: <SignOf sign={signs[kinds[state]]} />, count }]
        })}
        chosen={chosen}
        format={format.number}
        onChoose={(state) => table.setSearch(table.has, state ? { ...without, state } : without)}
      />
      {others > 0 && <span className="quiet">{say('others', { count: others })}</span>}
    </>
  )
}
