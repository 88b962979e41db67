import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

type LeaveGuardProps = {
  /** Whether leaving would lose something; it is asked at that moment. */
  loses: () => boolean
  header: string
  children: ReactNode
}

/** While it is mounted, leaving the page asks first: by a link, by the browser's buttons, by closing the tab. */
export function LeaveGuard({ loses, header, children }: LeaveGuardProps) {
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
    <Modal
      visible
      header={header}
      closeAriaLabel="Close"
      onDismiss={blocker.reset}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={blocker.proceed}>
              Leave
            </Button>
            <Button variant="primary" onClick={blocker.reset}>
              Stay
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      {children}
    </Modal>
  )
}
