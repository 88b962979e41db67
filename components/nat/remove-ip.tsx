import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { useFlash } from '#components/forms/flash'
import { deleteNatIp } from '#lib/nat/ip-changes.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'

type RemoveIpProps = {
  datacenter: number
  ip: NatIpDocument
  onClose: () => void
  onRemoved: () => void
}

export function RemoveIp({ datacenter, ip, onClose, onRemoved }: RemoveIpProps) {
  const say = useTranslations('nat.ip')
  const notify = useFlash()
  const remove = useMutation({ mutationFn: () => deleteNatIp(datacenter, ip) })
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done.delete', { ip: ip.ip }) })
        onRemoved()
      },
    })
  const advice = (code: string) => {
    if (code === 'NAT-IP-3') return say('deleteRulesFirst')
    return code === 'NAT-IP-12' ? say('heldNoDelete') : undefined
  }
  return (
    <ConfirmDelete
      title={say('deleteTitle')}
      busy={remove.isPending}
      error={remove.error}
      advice={advice}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('deleteText', {
        ip: ip.ip,
        network: ip.networkName,
        strong: (inside) => <Box variant="strong">{inside}</Box>,
      })}
    </ConfirmDelete>
  )
}
