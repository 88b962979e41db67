import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Skeleton from '@cloudscape-design/components/skeleton'
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { UseBar } from '#components/nat/use-bar'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { idOfLink, linkOf } from '#lib/http/view'
import { allNatNetworksQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import styles from './home.module.css'
import { type Fullness, fullnessOf } from './nat-use'

const shown = 5

/** The networks of all datacenters in which the least is left. */
export function FullNetworksCard() {
  const say = useTranslations('home.fullest')
  const { data, error, refetch } = useQuery(allNatNetworksQuery({ by: 'use', asc: false, limit: shown }))
  return (
    <Container
      header={
        <Header variant="h2" description={say('description')}>
          {say('title')}
        </Header>
      }
    >
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && (
        <div role="status" aria-label={say('loading')}>
          <Skeleton height="160px" />
        </div>
      )}
      {data?.totalSize === 0 && <Box color="text-body-secondary">{say('none')}</Box>}
      {data && data.totalSize > 0 && (
        <ul className={styles.rows}>
          {data.collection.map((network) => (
            <NetworkUse key={network.id} network={network} />
          ))}
        </ul>
      )}
    </Container>
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
