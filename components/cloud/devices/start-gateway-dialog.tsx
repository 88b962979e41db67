import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { LoadingDialog } from '#components/base/forms/resource-form'
import { Button } from '#components/kit/button'
import { gatewaysQuery } from '#lib/cloud/infrastructure/devices.queries'
import { hasReported, isLinux } from '#lib/cloud/infrastructure/devices.schema'
import { GatewayCommand } from './start-gateway'

type StartGatewayDialogProps = { datacenter: number; onClose: () => void }

/** The command for the first Linux device of a datacenter. It says when the gateway reports. */
export function StartGatewayDialog({ datacenter, onClose }: StartGatewayDialogProps) {
  const say = useTranslations('gateways.start')
  const sayCommon = useTranslations('common')
  const read = useQuery(gatewaysQuery(datacenter))
  const linux = read.data?.collection.filter(isLinux) ?? []
  const device = linux.find(hasReported) ?? linux[0]
  if (!device) return <LoadingDialog header={say('title')} read={read} onClose={onClose} />
  const { status = 'unmanaged' } = device
  return (
    <Dialog
      header={say('titleOf', { name: device.name })}
      size="large"
      onDismiss={onClose}
      actions={
        <Button look={hasReported(device) ? 'main' : 'quiet'} onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      <GatewayCommand device={device} status={status} />
    </Dialog>
  )
}
