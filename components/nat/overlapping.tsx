import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { paths } from '#components/paths'
import { AppLink } from '#components/screens/app-link'
import { useSettled } from '#lib/client/use-settled'
import { idOfLink } from '#lib/http/view'
import { natNetworksQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { cidrFacts } from './cidr-facts'
import type { NetworkDraft } from './network-draft'

const pauseInTyping = 300

/** The network of the chosen device that has addresses in common with the CIDR that is typed; `self` is the one that changes. */
export function useOverlapping(datacenter: number, draft: NetworkDraft, self: number | undefined) {
  const facts = cidrFacts(draft.cidr)
  const cidr = facts.kind === 'network' ? facts.network : undefined
  const overlaps = useSettled(cidr, pauseInTyping)
  const device = draft.device && idOfLink(draft.device)
  const { data } = useQuery({
    // One may be the network itself.
    ...natNetworksQuery(datacenter, { device, overlaps, limit: 2 }),
    placeholderData: undefined,
    enabled: overlaps !== undefined && device !== undefined,
  })
  return overlaps === cidr ? data?.collection.find(({ id }) => id !== self) : undefined
}

export function Overlapping({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const say = useTranslations('nat.cidr')
  return say.rich('overlaps', {
    name: network.name,
    cidr: network.cidr,
    link: (name) => (
      <AppLink to={paths.natNetwork(datacenter, network.id)} fontSize="inherit" target="_blank">
        {name}
      </AppLink>
    ),
  })
}
