import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { CodeDialog, type TwoFactorDialogProps } from '#components/session/code-dialog'
import { proveCode } from '#lib/auth/two-factor.queries'

/** Makes up for the last step of an enrolment that was left. */
export function ProveDialog({ session, visible, onCancel, onDone }: TwoFactorDialogProps) {
  const say = useTranslations('account.twoFactor')
  const prove = useMutation(proveCode())
  const notify = useFlash()
  const done = () => {
    notify({ type: 'success', content: say('proved') })
    onDone()
  }
  return (
    <CodeDialog
      session={session}
      visible={visible}
      header={say('prove')}
      takesScratchCodes={false}
      action={say('check')}
      actionUnderWay={say('checking')}
      mutation={prove}
      onAccepted={done}
      onCancel={onCancel}
    >
      <Box variant="p">{say('proveText')}</Box>
    </CodeDialog>
  )
}
