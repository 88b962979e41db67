import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { datacenterQuery, useRemoveDatacenter } from '#lib/cloud/infrastructure/datacenters.queries'

type RemoveDatacenterProps = { id: number; onClose: () => void; onRemoved?: () => void }

/** The user types the name before a datacenter is deleted. */
export function RemoveDatacenter({ id, onClose, onRemoved = onClose }: RemoveDatacenterProps) {
  const say = useTranslations('datacenters.remove')
  const read = useQuery(datacenterQuery(id))
  const name = read.data?.document.name ?? ''
  return (
    <Confirm
      title={say('title', { name })}
      typed={name}
      read={read}
      mutation={useRemoveDatacenter()}
      done={() => say('done', { name })}
      advice={{ 'DC-5': say('inUse') }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say('about')}
    </Confirm>
  )
}
