import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useFlash } from '#components/layout/flash'
import { disableTwoFactor } from '#lib/auth/two-factor.queries'
import { CodeDialog, type TwoFactorDialogProps } from './code-dialog'

export function DisableDialog({ session, visible, onCancel, onDone }: TwoFactorDialogProps) {
  const disable = useMutation(disableTwoFactor(session))
  const notify = useFlash()
  const done = () => {
    notify({
      type: 'success',
      content: 'Two factor authentication is off. Your password alone signs you in.',
    })
    onDone()
  }
  return (
    <CodeDialog
      session={session}
      visible={visible}
      header="Turn off two factor authentication?"
      takesScratchCodes
      action="Turn off"
      actionUnderWay="Turning off"
      mutation={disable}
      onAccepted={done}
      onCancel={onCancel}
    >
      <Box variant="p">
        Your password alone will then sign you in. Your scratch codes stop working
        {session.twoFactorProvider === 'EMAIL'
          ? ': delete them.'
          : ', and so does the entry in your app: delete both.'}
      </Box>
    </CodeDialog>
  )
}
