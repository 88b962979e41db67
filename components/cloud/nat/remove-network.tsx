import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Stack } from '#components/kit/layout'
import { natNetworkQuery, useRemoveNatNetwork } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import type { Say } from '#lib/words/words'

/** Why a network with IPs cannot be deleted. */
export const hasIps = (
  say: Say<'nat.networks'>,
  { ips }: Pick<NatNetworkDocument, 'ips'>,
): string | undefined => (ips === 0 ? undefined : say('hasIps', { count: ips }))

type RemoveNetworkProps = {
  datacenter: number
  network: number
  onClose: () => void
  onRemoved?: () => void
}

export function RemoveNetwork({ datacenter, network, onClose, onRemoved = onClose }: RemoveNetworkProps) {
  const say = useTranslations('nat.networks')
  const read = useQuery(natNetworkQuery(datacenter, network))
  const document = read.data?.document
  const refused = document && hasIps(say, document)
  return (
    <Confirm
      title={say('deleteTitle')}
      read={read}
      mutation={useRemoveNatNetwork(datacenter)}
      done={() => say('deleted', { name: document?.name ?? '' })}
      advice={{ 'NAT-NET-4': say('deleteIpsFirst') }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      <Stack>
        <div>
          {document &&
            say.rich('deleteText', {
              name: document.name,
              cidr: document.cidr,
              strong: (inside) => <strong>{inside}</strong>,
            })}
        </div>
        {refused && (
          <div>
            {refused} <AppLink to={paths.natNetwork(datacenter, network, 'ips')}>{say('showIps')}</AppLink>
          </div>
        )}
      </Stack>
    </Confirm>
  )
}
