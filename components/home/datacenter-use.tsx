import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Skeleton from '@cloudscape-design/components/skeleton'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { access } from '#components/access'
import { AppLink } from '#components/layout/app-link'
import { FailureText } from '#components/layout/failure'
import { useMay } from '#components/layout/session'
import { paths } from '#components/paths'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import { natNetworksQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import styles from './home.module.css'
import { countedNetworks, type NatUse, natUseOf } from './nat-use'

export function DatacenterUse({ datacenter }: { datacenter: DatacenterDocument }) {
  const { id, name, location } = datacenter
  const maySee = useMay(...access.natNetworks)
  return (
    <li className={styles.datacenter}>
      <div className={styles.place}>
        <Box variant="h3" padding="n">
          <AppLink to={paths.datacenter(id)}>{name}</AppLink>
        </Box>
        {location && <Box color="text-body-secondary">{location}</Box>}
      </div>
      {maySee && <Use datacenter={datacenter} />}
    </li>
  )
}

function Use({ datacenter: { id, name } }: { datacenter: DatacenterDocument }) {
  const query = natNetworksQuery(id, { limit: countedNetworks, by: 'name' })
  const { data, error, refetch } = useQuery({ ...query, select: natUseOf })
  if (error && !data) {
    return (
      <div>
        <StatusIndicator type="error">The use could not be read</StatusIndicator>
        <FailureText error={error} />
        <Button
          variant="inline-link"
          ariaLabel={`Try again to read the use of ${name}`}
          onClick={() => refetch()}
        >
          Try again
        </Button>
      </div>
    )
  }
  if (!data) return <Skeleton height="40px" />
  if (data.networks === 0) {
    return (
      <Box color="text-body-secondary">
        No NAT networks yet. <AppLink to={paths.natNetworks(id)}>Go there</AppLink>
      </Box>
    )
  }
  return (
    <div>
      <Bar use={data} />
      <div className={styles.counts}>
        <AppLink to={paths.natNetworks(id)}>{counted(data.networks, 'NAT network')}</AppLink>
        <span>{counted(data.rules, 'rule')}</span>
        {data.counted < data.networks && <span>first {data.counted} networks counted</span>}
      </div>
      {data.nearlyFull.length > 0 && <NearlyFull datacenter={id} networks={data.nearlyFull} />}
    </div>
  )
}

const counted = (count: number, thing: string): string =>
  `${count.toLocaleString()} ${count === 1 ? thing : `${thing}s`}`

function Bar({ use: { ips, usedIps } }: { use: NatUse }) {
  if (ips === 0) return <Box color="text-body-secondary">No IPs yet</Box>
  const percent = Math.floor((usedIps / ips) * 100)
  return (
    <>
      <div className={styles.figures}>
        <span>
          {usedIps.toLocaleString()} of {ips.toLocaleString()} IPs in use
        </span>
        <span>{percent}%</span>
      </div>
      <div className={styles.track} aria-hidden="true">
        <div className={styles.fill} style={{ inlineSize: `${percent}%` }} />
      </div>
    </>
  )
}

const NearlyFull = ({ datacenter, networks }: { datacenter: number; networks: NatNetworkDocument[] }) => (
  <StatusIndicator type="warning" wrapText>
    Nearly full:{' '}
    {networks.slice(0, 3).map(({ id, name }, index) => (
      <span key={id}>
        {index > 0 && ', '}
        <AppLink to={paths.natNetwork(datacenter, id)}>{name}</AppLink>
      </span>
    ))}
    {networks.length > 3 && ` and ${networks.length - 3} more`}
  </StatusIndicator>
)
