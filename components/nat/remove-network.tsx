import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { isStaleWrite } from '#components/forms/conflict'
import { useFlash } from '#components/forms/flash'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { natNetworkQuery, useRemoveNatNetwork } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import type { Say } from '#lib/words/words'

/** Why a network with these IPs cannot be deleted. */
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
  const current = useQuery(natNetworkQuery(datacenter, network))
  const remove = useRemoveNatNetwork(datacenter)
  const notify = useFlash()
  const document = current.data?.document
  const refused = document && hasIps(say, document)

  const confirm = () => {
    if (!current.data) return
    const { name } = current.data.document
    remove.mutate(current.data, {
      onSuccess: () => {
        notify({ type: 'success', content: say('deleted', { name }) })
        onRemoved()
      },
      // The next try acts on what is there by then, and the dialog shows it.
      onError: (error) => (isStaleWrite(error) || refused === undefined) && void current.refetch(),
    })
  }

  return (
    <ConfirmDelete
      title={say('deleteTitle')}
      busy={remove.isPending || current.isPending}
      error={remove.error ?? current.error}
      advice={(code) => (code === 'NAT-NET-4' ? say('deleteIpsFirst') : undefined)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <SpaceBetween size="s">
        <Box>
          {document &&
            say.rich('deleteText', {
              name: document.name,
              cidr: document.cidr,
              strong: (inside) => <Box variant="strong">{inside}</Box>,
            })}
        </Box>
        {refused && (
          <Box>
            {refused} <AppLink to={paths.natNetwork(datacenter, network, 'ips')}>{say('showIps')}</AppLink>
          </Box>
        )}
      </SpaceBetween>
    </ConfirmDelete>
  )
}
