import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useFormatter, useTranslations } from 'use-intl'
import { linkOf } from '#lib/http/view'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { Address } from './address'
import { cidrFacts, countText } from './cidr-facts'
import { Count } from './count'
import { UseBar } from './use-bar'

/** What a NAT network is, and how much of it is in use. */
export function NetworkFacts({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('nat.network')
  const none = useTranslations('common')('none')
  const format = useFormatter()
  const facts = cidrFacts(network.cidr)
  const isNetwork = facts.kind === 'network'
  const size = isNetwork && countText(facts.size, (number) => format.number(number))
  return (
    <Container>
      <KeyValuePairs
        columns={4}
        ariaLabel={say('facts', { name: network.name })}
        items={[
          { label: say('cidr'), value: <Address>{network.cidr}</Address> },
          {
            label: say('addresses'),
            value: isNetwork ? say('size', { size: String(size), version: String(facts.version) }) : none,
          },
          { label: say('device'), value: linkOf(network, 'device')?.title ?? none },
          { label: say('id'), value: network.id },
          { label: say('ips'), value: <Count of={network.ips} /> },
          { label: say('used'), value: <UseBar network={network} /> },
          { label: say('rules'), value: <Count of={network.rules} /> },
          {
            label: say('given'),
            value: isNetwork ? (
              <Address>{say('range', { first: facts.first, last: facts.last })}</Address>
            ) : (
              none
            ),
          },
        ]}
      />
    </Container>
  )
}
