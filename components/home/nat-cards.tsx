import { useQuery } from '@tanstack/react-query'
import { access } from '#components/access'
import { useMay } from '#components/layout/session'
import { datacentersQuery } from '#lib/infrastructure/datacenters.queries'
import { DatacentersCard } from './datacenters-card'
import { FirstSteps } from './first-steps'
import { FullNetworksCard } from './full-networks-card'

/** Each shown datacenter costs one request more. */
const shown = 6

/** The datacenters and their NAT networks; where there is none yet, the way to the first. */
export function NatCards() {
  const datacenters = useQuery(datacentersQuery({ limit: shown, by: 'name' }))
  const mayNetworks = useMay(...access.natNetworks)
  if (datacenters.data?.totalSize === 0) return <FirstSteps />
  return (
    <>
      <DatacentersCard list={datacenters} />
      {mayNetworks && <FullNetworksCard />}
    </>
  )
}
