import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { CodeDialog, type TwoFactorDialogProps } from '#components/session/code-dialog'
import { disableTwoFactor } from '#lib/auth/two-factor.queries'

export function DisableDialog({ session, visible, onCancel, onDone }: TwoFactorDialogProps) {
  const say = useTranslations('account.twoFactor')
  const disable = useMutation(disableTwoFactor(session))
  const notify = useFlash()
  const done = () => {
    notify({ type: 'success', content: say('disabled') })
    onDone()
  }
  return (
    <CodeDialog
      session={session}
      visible={visible}
      header={say('disableTitle')}
      takesScratchCodes
      action={say('turnOff')}
      actionUnderWay={say('turningOff')}
      mutation={disable}
      onAccepted={done}
      onCancel={onCancel}
    >
      <Box variant="p">{say(`disableText.${session.twoFactorProvider ?? 'APP_AUTHENTICATOR'}`)}</Box>
    </CodeDialog>
  )
}
