import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useMutation } from '@tanstack/react-query'
import { useFlash } from '#components/layout/flash'
import { renewScratchCodes } from '#lib/auth/two-factor.queries'
import { CodeDialog, type TwoFactorDialogProps } from './code-dialog'
import { Dialog } from './dialog'
import { ScratchCodes } from './scratch-codes-list'

/** Ten new scratch codes for a verification code; they are shown this one time. */
export function NewCodesDialog({ session, visible, onCancel, onDone }: TwoFactorDialogProps) {
  const renew = useMutation(renewScratchCodes(session))
  const notify = useFlash()
  const done = () => {
    renew.reset()
    notify({ type: 'success', content: 'You have ten new scratch codes. The earlier ones work no more.' })
    onDone()
  }
  return (
    <>
      <CodeDialog
        session={session}
        visible={visible && !renew.data}
        header="Get new scratch codes?"
        takesScratchCodes
        action="Get new codes"
        actionUnderWay="Making new codes"
        mutation={renew}
        onAccepted={() => undefined}
        onCancel={onCancel}
      >
        <Box variant="p">You get ten new ones, and all those that you have stop working.</Box>
      </CodeDialog>
      <Dialog
        visible={visible && renew.data !== undefined}
        header="Your new scratch codes"
        onDismiss={({ detail }) => detail.reason === 'closeButton' && done()}
        actions={
          <Button variant="primary" onClick={done}>
            I have kept them
          </Button>
        }
      >
        <Box variant="p">
          Each of these signs you in once when your usual codes cannot reach you. They are shown only now:
          keep them in a safe place.
        </Box>
        <ScratchCodes
          codes={renew.data?.scratchCodes ?? []}
          owner={{ issuer: '', account: session.nick, host: window.location.host }}
        />
      </Dialog>
    </>
  )
}
