import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { UseBar } from '#components/nat/use-bar'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { idOfLink, linkOf } from '#lib/http/view'
import { allNatNetworksQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import styles from './home.module.css'
import { ListCard } from './list-card'
import { type Fullness, fullnessOf } from './nat-use'

/** The networks of all datacenters that have the smallest share of free IPs. */
export function FullNetworksCard() {
  const say = useTranslations('home.fullest')
  return (
    <ListCard
      list={useQuery(allNatNetworksQuery({ by: 'use', asc: false, limit: 5 }))}
      title={say('title')}
      description={say('description')}
      loading={{ label: say('loading'), height: 160 }}
      none={say('none')}
    >
      {(networks) => (
        <ul className={styles.rows}>
          {networks.map((network) => (
            <NetworkUse key={network.id} network={network} />
          ))}
        </ul>
      )}
    </ListCard>
  )
}

const signs: Record<Fullness, StatusIndicatorProps.Type> = {
  noIps: 'stopped',
  free: 'success',
  nearlyFull: 'warning',
  full: 'error',
}

function NetworkUse({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('home.fullest')
  const fullness = fullnessOf(network)
  const datacenter = linkOf(network, 'datacenter')
  return (
    <li className={styles.network}>
      <div className={styles.place}>
        <AppLink to={paths.natNetwork(idOfLink(datacenter) ?? 0, network.id)} variant="primary">
          {network.name}
        </AppLink>
        <div className={styles.quiet}>
          {datacenter?.title} · {network.cidr}
        </div>
      </div>
      <UseBar network={network} />
      <StatusIndicator type={signs[fullness]}>
        {say(fullness, { count: network.ips - network.usedIps })}
      </StatusIndicator>
    </li>
  )
}
