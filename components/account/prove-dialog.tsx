import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useFlash } from '#components/layout/flash'
import { proveCode } from '#lib/auth/two-factor.queries'
import { CodeDialog, type TwoFactorDialogProps } from './code-dialog'

/** Makes up for the last step of an enrolment that was left. */
export function ProveDialog({ session, visible, onCancel, onDone }: TwoFactorDialogProps) {
  const prove = useMutation(proveCode())
  const notify = useFlash()
  const done = () => {
    notify({ type: 'success', content: 'The code was right: your next sign-in works with the next one.' })
    onDone()
  }
  return (
    <CodeDialog
      session={session}
      visible={visible}
      header="Prove a code"
      takesScratchCodes={false}
      action="Check the code"
      actionUnderWay="Checking"
      mutation={prove}
      onAccepted={done}
      onCancel={onCancel}
    >
      <Box variant="p">See that the right codes reach you, so that your next sign-in works.</Box>
    </CodeDialog>
  )
}
