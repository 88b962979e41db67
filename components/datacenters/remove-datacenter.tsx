import Box from '@cloudscape-design/components/box'
import { useQuery } from '@tanstack/react-query'
import { ConfirmDelete } from '#components/layout/confirm-delete'
import { useFlash } from '#components/layout/flash'
import { ApiFailure } from '#lib/client/api'
import { datacenterQuery, useRemoveDatacenter } from '#lib/infrastructure/datacenters.queries'

const advice = (code: string): string | undefined =>
  code === 'DC-5' ? 'Delete its NAT networks, devices, virtual datacenters and templates first.' : undefined

/** Asks for the name before a datacenter goes. */
export function RemoveDatacenter({
  id,
  onClose,
  onRemoved = onClose,
}: {
  id: number
  onClose: () => void
  onRemoved?: () => void
}) {
  const current = useQuery(datacenterQuery(id))
  const remove = useRemoveDatacenter()
  const notify = useFlash()
  const name = current.data?.document.name ?? ''

  const confirm = () => {
    if (!current.data) return
    remove.mutate(current.data, {
      onSuccess: () => {
        notify({ type: 'success', content: `The datacenter ${name} is deleted.` })
        onRemoved()
      },
      onError: (error) => {
        if (error instanceof ApiFailure && error.status === 412) void current.refetch()
      },
    })
  }

  return (
    <ConfirmDelete
      title="Delete datacenter?"
      typed={name}
      busy={remove.isPending || current.isPending}
      error={remove.error ?? current.error}
      advice={advice}
      onConfirm={confirm}
      onCancel={onClose}
    >
      The datacenter <Box variant="strong">{name}</Box> goes with its racks and remote services. This cannot
      be undone.
    </ConfirmDelete>
  )
}
