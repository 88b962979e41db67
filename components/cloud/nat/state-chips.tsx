import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import type { TableState } from '#components/table/use-table-state'
import { natIpStatesQuery } from '#lib/cloud/nat/ips.queries'
import { natIpStates } from '#lib/cloud/nat/ips.schema'
import styles from './nat.module.css'

type StateChipsProps = {
  /** If absent, the IPs of all datacenters are counted. */
  datacenter: number | undefined
  /** If absent, the IPs of all networks are counted. */
  network: number | undefined
  table: Pick<TableState<'state' | 'datacenter'>, 'has' | 'filters' | 'setSearch'>
}

/** The number of IPs in each state. A click filters by the state, another click removes the filter. */
export function StateChips({ datacenter, network, table }: StateChipsProps) {
  const label = useTranslations('labels')
  const say = useTranslations('nat.states')
  const format = useFormatter()
  const { data } = useQuery(natIpStatesQuery(datacenter, network, table.filters.datacenter))
  const { state: chosen, ...others } = table.filters
  return (
    <fieldset className={styles.chips} aria-label={label('state')}>
      {natIpStates.map((state) => {
        const count = data?.[state]
        const filters = chosen === state ? others : { ...others, state }
        if (data && count === undefined) return null
        return (
          <button
            key={state}
            type="button"
            aria-pressed={chosen === state}
            onClick={() => table.setSearch(table.has, filters)}
          >
            {say(state)} <b>{count === undefined ? '…' : format.number(count)}</b>
          </button>
        )
      })}
    </fieldset>
  )
}
