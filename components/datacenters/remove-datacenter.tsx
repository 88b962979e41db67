import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { isStaleWrite } from '#components/forms/conflict'
import { useFlash } from '#components/forms/flash'
import { datacenterQuery, useRemoveDatacenter } from '#lib/infrastructure/datacenters.queries'

type RemoveDatacenterProps = { id: number; onClose: () => void; onRemoved?: () => void }

/** Asks for the name before a datacenter goes. */
export function RemoveDatacenter({ id, onClose, onRemoved = onClose }: RemoveDatacenterProps) {
  const say = useTranslations('datacenters.remove')
  const current = useQuery(datacenterQuery(id))
  const remove = useRemoveDatacenter()
  const notify = useFlash()
  const name = current.data?.document.name ?? ''

  const confirm = () => {
    if (!current.data) return
    remove.mutate(current.data, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done', { name }) })
        onRemoved()
      },
      onError: (error) => isStaleWrite(error) && void current.refetch(),
    })
  }

  return (
    <ConfirmDelete
      title={say('title', { name })}
      typed={name}
      busy={remove.isPending || current.isPending}
      error={remove.error ?? current.error}
      advice={(code) => (code === 'DC-5' ? say('inUse') : undefined)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say('about')}
    </ConfirmDelete>
  )
}
