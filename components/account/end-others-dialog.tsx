import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useMutation } from '@tanstack/react-query'
import { Failure } from '#components/layout/failure'
import { useFlash } from '#components/layout/flash'
import { endOtherSessions } from '#lib/auth/own-sessions.queries'
import { Dialog } from './dialog'

export function EndOthersDialog({ visible, onClose }: { visible: boolean; onClose: () => void }) {
  const ending = useMutation(endOtherSessions())
  const notify = useFlash()
  const close = () => {
    ending.reset()
    onClose()
  }
  const end = () =>
    ending.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: 'You are signed out everywhere but here.' })
        close()
      },
    })
  return (
    <Dialog
      visible={visible}
      header="End all other sessions?"
      onDismiss={close}
      actions={
        <>
          <Button variant="link" onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" loading={ending.isPending} loadingText="Ending" onClick={end}>
            End all others
          </Button>
        </>
      }
    >
      <Box variant="p">
        Every other browser is signed out, and every program with a token of yours; also one that is not in
        the list because it has not used its token yet. A program that sends your password signs in again by
        itself: if you fear that somebody knows the password, change it.
      </Box>
      {ending.isError && <Failure error={ending.error} />}
    </Dialog>
  )
}
