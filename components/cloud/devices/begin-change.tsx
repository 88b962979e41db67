import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { setWaitingDevice, type WaitingDevice } from '#components/frame/waiting/waiting-device'
import { Card, Row, Stack } from '#components/kit/layout'
import { Select } from '#components/kit/select'
import { Tool } from '#components/kit/tool'
import { deviceChangeQuery, useBeginChange } from '#lib/cloud/translations/unconfirmed.queries'

/** Seconds. */
const times = [60, 300, 900, 3600] as const

/** Begins changes of the device that are undone unless they are confirmed. Unconfirmed changes are shown above every screen. */
export function BeginChange({ device }: { device: WaitingDevice }) {
  const say = useTranslations('gateways.waiting')
  const [seconds, setSeconds] = useState<number>(times[0])
  const { data } = useQuery(deviceChangeQuery(device))
  const mayManage = useMay('MANAGE_DEVICES', 'PHYS_DC_ALLOW_MODIFY_NETWORK')
  const may = useMay('VAPP_CUSTOMISE_SETTINGS') && mayManage
  const { datacenter, id, name } = device
  const isWaiting = data?.document.ends !== undefined
  useEffect(() => {
    if (isWaiting && may) setWaitingDevice({ datacenter, id, name })
  }, [isWaiting, may, datacenter, id, name])
  const guard = useOneAtATime()
  const beginning = useBeginChange(device)
  // A notice above the screen shows the unconfirmed changes.
  const begin = () =>
    guard(() => beginning.mutateAsync(seconds, { onSuccess: () => setWaitingDevice(device) }))
  if (!may) return null
  const options = times.map((time) => ({ value: String(time), text: say('time', { minutes: time / 60 }) }))
  return (
    <Card title={say('card')}>
      <Stack>
        <p>{say('about')}</p>
        <Row>
          <Select
            label={say('timeout')}
            labelUnseen
            options={options}
            value={String(seconds)}
            onChange={(chosen) => setSeconds(Number(chosen))}
          />
          <Tool refused={isWaiting ? say('already') : undefined} busy={beginning.isPending} onPress={begin}>
            {say('begin')}
          </Tool>
        </Row>
        {beginning.error && <Failure error={beginning.error} />}
        <AppLink to={paths.help('api/devices#changes-that-go-back')}>{say('help')}</AppLink>
      </Stack>
    </Card>
  )
}
