import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { isStaleWrite } from '#components/datacenters/conflict'
import { AppLink } from '#components/layout/app-link'
import { ConfirmDelete } from '#components/layout/confirm-delete'
import { useFlash } from '#components/layout/flash'
import { paths } from '#components/paths'
import { natNetworkQuery, useRemoveNatNetwork } from '#lib/nat/networks.queries'
import { hasIps } from './network-columns'

const advice = (code: string): string | undefined =>
  code === 'NAT-NET-4' ? 'Delete its IPs first; they may be there since this list was loaded.' : undefined

type RemoveNetworkProps = {
  datacenter: number
  network: number
  onClose: () => void
  onRemoved?: () => void
}

export function RemoveNetwork({ datacenter, network, onClose, onRemoved = onClose }: RemoveNetworkProps) {
  const current = useQuery(natNetworkQuery(datacenter, network))
  const remove = useRemoveNatNetwork(datacenter)
  const notify = useFlash()
  const document = current.data?.document
  const refused = document && hasIps(document)

  const confirm = () => {
    if (!current.data) return
    const { name } = current.data.document
    remove.mutate(current.data, {
      onSuccess: () => {
        notify({ type: 'success', content: `The NAT network ${name} is deleted.` })
        onRemoved()
      },
      // The next try acts on what is there by then, and the dialog shows it.
      onError: (error) => (isStaleWrite(error) || refused === undefined) && void current.refetch(),
    })
  }

  return (
    <ConfirmDelete
      title="Delete NAT network?"
      busy={remove.isPending || current.isPending}
      error={remove.error ?? current.error}
      advice={advice}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <SpaceBetween size="s">
        <Box>
          {document && (
            <>
              <Box variant="strong">{document.name}</Box> ({document.cidr}) will be gone. This cannot be
              undone.
            </>
          )}
        </Box>
        {refused && (
          <Box>
            {refused} <AppLink to={paths.natNetwork(datacenter, network, 'ips')}>Show its IPs</AppLink>
          </Box>
        )}
      </SpaceBetween>
    </ConfirmDelete>
  )
}
