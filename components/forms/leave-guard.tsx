import Button from '@cloudscape-design/components/button'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog'

type LeaveGuardProps = {
  /** Whether leaving now would lose something. */
  loses: () => boolean
  /** The question and its reason; "Leave without saving?" if absent. */
  header?: string
  children?: ReactNode
  /** A button for another way to leave. */
  otherWay?: ReactNode
}

/** Asks before the user leaves the page by a link, by the browser's buttons or by closing the tab. */
export function LeaveGuard({ loses, header, otherWay, children }: LeaveGuardProps) {
  const say = useTranslations('forms.leave')
  const isMounted = useRef(false)
  // After a screen was hidden and shown again, as by a sign-in in place, the router calls its blocker even when the screen
  // is gone (remix-run/react-router#11430). The blocker of an unmounted guard blocks nothing.
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isMounted.current && currentLocation.pathname !== nextLocation.pathname && loses(),
  )
  useBeforeUnload((event) => {
    if (loses()) event.preventDefault()
  })
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog
      header={header ?? say('title')}
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
      {children ?? say('text')}
    </Dialog>
  )
}
