import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ChangeTool } from '#components/base/forms/change-tool'
import { useFlash } from '#components/base/forms/flash'
import { useAction } from '#components/base/forms/use-action'
import { useMay } from '#components/base/session/session'
import { Banner } from '#components/kit/frame'
import { Row } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { invalidateBelow } from '#lib/client/resources.queries'
import { serverTime } from '#lib/client/server-clock'
import {
  deviceChangeQuery,
  useCancelChange,
  useConfirmChange,
} from '#lib/cloud/translations/unconfirmed.queries'
import { setWaitingDevice, type WaitingDevice } from './waiting-device'

/**
 * Above every screen, while changes of a device wait for this user's confirmation: the time left, and the buttons that confirm or undo
 * them.
 */
export function WaitingChange({ device }: { device: WaitingDevice }) {
  const say = useTranslations('gateways.waiting')
  const notify = useFlash()
  const client = useQueryClient()
  const mayCancel = useMay('VAPP_CUSTOMISE_SETTINGS')
  const { data } = useQuery(deviceChangeQuery(device))
  const ends = data?.document.ends
  const isOver = data !== undefined && ends === undefined
  useEffect(() => {
    if (!isOver) return
    setWaitingDevice(undefined)
    // They may have touched any list of NAT.
    void invalidateBelow(client, ['/api/admin', '/api/cloud'])
    notify({ type: 'info', content: say('over', { name: device.name }) })
  }, [isOver, client, notify, say, device.name])
  const confirm = useAction(useConfirmChange(device), {
    done: () => say('confirmed', { name: device.name }),
    failed: () => say('notConfirmed'),
    onDone: () => setWaitingDevice(undefined),
  })
  const cancel = useAction(useCancelChange(device), {
    done: () => ({ type: 'info', content: say('goingBack', { name: device.name }) }),
    failed: () => say('notCancelled'),
  })
  if (ends === undefined) return null
  return (
    <Banner>
      <Notice
        kind="warn"
        title={say('title', { name: device.name })}
        action={
          <Row>
            {mayCancel && <ChangeTool onPress={() => cancel(undefined)}>{say('cancel')}</ChangeTool>}
            <ChangeTool look="main" onPress={() => confirm(undefined)}>
              {say('confirm')}
            </ChangeTool>
          </Row>
        }
      >
        <Countdown ends={ends} />
      </Notice>
    </Banner>
  )
}

function Countdown({ ends }: { ends: string }) {
  const say = useTranslations('gateways.waiting')
  const [now, setNow] = useState(() => serverTime(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setNow(serverTime(Date.now())), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((Date.parse(ends) - now) / 1000))
  // Assistive technology hears the buttons once, not each second.
  return <span aria-live="off">{say('seconds', { count: seconds })}</span>
}
