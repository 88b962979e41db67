import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ChangeTool } from '#components/base/forms/change-tool'
import { Failure } from '#components/base/forms/failure'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useNeeds } from '#components/base/forms/reasons'
import { SecretOnce } from '#components/base/forms/secret-once'
import { RequiresPrivilege } from '#components/base/forms/why'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { holds, useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Card, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import { useOnce } from '#lib/client/once'
import type { DeviceDocument } from '#lib/cloud/infrastructure/devices.schema'
import { gatewayPrivileges, makeGatewayToken } from '#lib/cloud/translations/start.queries'
import type { DeviceStatus } from '#lib/cloud/translations/translations.schema'
import styles from './devices.module.css'

type StartGatewayProps = { device: DeviceDocument; status: DeviceStatus }

/** On the page of a device. A gateway that reports needs no further token, unless the user asks for one. */
export function StartGateway({ device, status }: StartGatewayProps) {
  const say = useTranslations('gateways.start')
  const [isShown, setShown] = useState(isSilent(status))
  if (!isShown && !isSilent(status))
    return (
      <Button look="link" onPress={() => setShown(true)}>
        {say('again')}
      </Button>
    )
  return (
    <Card title={say('title')}>
      <GatewayCommand device={device} status={status} />
    </Card>
  )
}

/** From nothing to a gateway that reports: its account, its token, and the one command to type. */
export function GatewayCommand({ device, status }: StartGatewayProps) {
  const say = useTranslations('gateways.start')
  const needs = useNeeds()
  const session = useSession()
  const guard = useOneAtATime()
  const making = useMutation(makeGatewayToken(session, useOnce()))
  const missing = [...gatewayPrivileges, 'USERS_MANAGE_USERS' as const].find(
    (privilege) => !holds(session, [privilege]),
  )
  const token = making.data?.token
  return (
    <Stack>
      <p>{say('about')}</p>
      {token === undefined ? (
        <RequiresPrivilege missing={missing}>
          <ChangeTool
            look="main"
            refused={missing !== undefined ? needs(missing) : undefined}
            busy={making.isPending}
            busyText={say('busy')}
            onPress={() => guard(() => making.mutateAsync(device))}
          >
            {say('make')}
          </ChangeTool>
        </RequiresPrivilege>
      ) : (
        <Stack>
          <Command token={token} device={device.id} />
          <GatewayStatus status={status} />
        </Stack>
      )}
      {making.error && <Failure error={making.error} />}
      <AppLink to={paths.help('gateway')}>{say('help')}</AppLink>
    </Stack>
  )
}

const isSilent = (status: DeviceStatus): boolean => status === 'unmanaged' || status === 'silent'

const commandFor = (token: string, device: number, site: string): string =>
  [`GATEWAY_TOKEN='${token}' \\`, `  cloud-console-gateway --api ${site}/api --device ${device}`].join('\n')

function Command({ token, device }: { token: string; device: number }) {
  const say = useTranslations('gateways.start')
  const command = commandFor(token, device, window.location.origin)
  return (
    <SecretOnce
      secret={command}
      label={say('command')}
      copyLabel={say('copy')}
      shown={<pre className={styles.command}>{command}</pre>}
    >
      {say('pass')}
    </SecretOnce>
  )
}

/** Turns green when the gateway reports. */
function GatewayStatus({ status }: { status: DeviceStatus }) {
  const say = useTranslations('gateways.start')
  return (
    <div role="status">
      <Status kind={isSilent(status) ? 'busy' : 'good'}>{say(isSilent(status) ? 'waiting' : 'heard')}</Status>
    </div>
  )
}
