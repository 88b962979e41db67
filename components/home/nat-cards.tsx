import { useQuery } from '@tanstack/react-query'
import { access } from '#components/screens/access'
import { useMay } from '#components/session/session'
import { datacentersQuery } from '#lib/infrastructure/datacenters.queries'
import { natUseQuery } from '#lib/nat/networks.queries'
import { NamesCard, UseCard } from './datacenters-card'
import { FirstSteps } from './first-steps'
import { FullNetworksCard } from './full-networks-card'

/** As many datacenters as are taken in at a glance. */
const shown = { limit: 6, by: 'name' }

/** The datacenters, and their NAT networks for who may see them; where there is none yet, the way to the first. */
export const NatCards = () => (useMay(...access.natNetworks) ? <Uses /> : <Names />)

function Uses() {
  const list = useQuery(natUseQuery(shown))
  if (list.data?.totalSize === 0) return <FirstSteps />
  return (
    <>
      <UseCard list={list} />
      <FullNetworksCard />
    </>
  )
}

function Names() {
  const list = useQuery(datacentersQuery(shown))
  return list.data?.totalSize === 0 ? <FirstSteps /> : <NamesCard list={list} />
}
