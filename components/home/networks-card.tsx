import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { fullnessOf, nearlyFull } from '#components/cloud/nat/nat-use'
import { UseBar, useWithOthers } from '#components/cloud/nat/use-bar'
import { Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import { natNetworksQuery } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import styles from './home.module.css'
import { ListCard } from './list-card'
import { NetworksStrip } from './networks-strip'

/** Cells of the strip. Of more networks the fullest are shown. */
const CELLS = 500

const ROWS = 5

/** All networks in a strip, and the fullest ones that are nearly full. */
export function NetworksCard() {
  const say = useTranslations('home.fullest')
  const list = useQuery(natNetworksQuery(undefined, { by: 'use', asc: false, limit: CELLS }))
  return (
    <ListCard
      list={list}
      title={say('title')}
      about={useWithOthers()}
      loading={{ label: say('loading'), height: 240 }}
      none={say('none')}
    >
      {(networks) => (
        <Stack>
          {list.data && <NetworksStrip networks={list.data} />}
          <NearlyFull
            networks={networks.filter((network) => fullnessOf(network) !== 'free').slice(0, ROWS)}
          />
        </Stack>
      )}
    </ListCard>
  )
}

function NearlyFull({ networks }: { networks: readonly NatNetworkDocument[] }) {
  const say = useTranslations('home.fullest')
  const share = useFormatter().number(nearlyFull / 100, { style: 'percent' })
  if (networks.length === 0) return <Status kind="good">{say('allWell', { share })}</Status>
  return (
    <ul className={styles.rows}>
      {networks.map((network) => (
        <NetworkUse key={network.id} network={network} />
      ))}
    </ul>
  )
}

function NetworkUse({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('home.fullest')
  const isFull = fullnessOf(network) === 'full'
  const datacenter = linkOf(network, 'datacenter')
  return (
    <li className={styles.network}>
      <div className={styles.place}>
        <AppLink to={paths.natNetwork(idOfLink(datacenter) ?? 0, network.id)}>{network.name}</AppLink>
        <div className={styles.quiet}>
          {datacenter?.title} · {network.cidr}
        </div>
      </div>
      <UseBar network={network} />
      <Status kind={isFull ? 'bad' : 'warn'}>
        {isFull ? say('full') : say('nearlyFull', { count: (network.assignable ?? 0) - network.usedIps })}
      </Status>
    </li>
  )
}
