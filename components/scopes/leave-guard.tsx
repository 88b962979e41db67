import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useBeforeUnload, useBlocker } from 'react-router'

/** Asks before a form is left whose changes would be lost. `isDirty` is asked at that moment. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isDirty(),
  )
  useBeforeUnload((event) => {
    if (isDirty()) event.preventDefault()
  })
  if (blocker.state !== 'blocked') return null
  return (
    <Modal
      visible
      header="Leave without saving?"
      closeAriaLabel="Close"
      onDismiss={blocker.reset}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={blocker.reset}>
              Stay here
            </Button>
            <Button variant="primary" onClick={blocker.proceed}>
              Leave
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      What you changed here is not saved and will be lost.
    </Modal>
  )
}
