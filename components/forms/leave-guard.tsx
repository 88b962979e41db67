import Button from '@cloudscape-design/components/button'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog'

type LeaveGuardProps = {
  /** Whether leaving would lose something; it is asked at that moment. */
  loses: () => boolean
  header: string
  /** A button that leads out in another way. */
  otherWay?: ReactNode
  children: ReactNode
}

/** While it is mounted, leaving the page asks first: by a link, by the browser's buttons, by closing the tab. */
export function LeaveGuard({ loses, header, otherWay, children }: LeaveGuardProps) {
  const say = useTranslations('layout.leave')
  const onGuard = useRef(false)
  // The router keeps the function of a screen that was hidden and shown again, as at a sign-in in between, when the
  // screen is gone: remix-run/react-router#11430. The function then lets everybody pass.
  useEffect(() => {
    onGuard.current = true
    return () => {
      onGuard.current = false
    }
  }, [])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      onGuard.current && currentLocation.pathname !== nextLocation.pathname && loses(),
  )
  useBeforeUnload((event) => {
    if (loses()) event.preventDefault()
  })
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog
      header={header}
      onDismiss={blocker.reset}
      actions={
        <>
          <Button variant="link" onClick={blocker.proceed}>
            {say('leave')}
          </Button>
          {otherWay}
          <Button variant="primary" onClick={blocker.reset}>
            {say('stay')}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
