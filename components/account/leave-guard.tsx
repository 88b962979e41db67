import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useRef } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'

const holdBack = (event: BeforeUnloadEvent) => event.preventDefault()

/** While it is mounted, leaving the page asks first. */
export function LeaveGuard({ isKept }: { isKept: boolean }) {
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
      onGuard.current && currentLocation.pathname !== nextLocation.pathname,
  )
  useBeforeUnload(holdBack)
  if (blocker.state !== 'blocked') return null
  return (
    <Modal
      visible
      header="Leave before you have tried a code?"
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
      <Box variant="p">
        <strong>Two factor authentication is on already.</strong> Your next sign-in asks for a code of your
        app or for a scratch code. Without either you cannot sign in.
      </Box>
      <Box variant="p">
        {isKept
          ? 'You said that you have kept the scratch codes. Whether your app gives the right codes is not known yet.'
          : 'You have not kept the scratch codes yet, and neither they nor the key can be shown again.'}
      </Box>
    </Modal>
  )
}

/** Goes back to the account, past the question above. */
export function LeaveButton() {
  const follow = useFollow()
  return (
    <Button variant="link" href={paths.account()} onFollow={follow}>
      Leave
    </Button>
  )
}
