import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { useFlash } from '#components/forms/flash'
import { CodeDialog, type TwoFactorDialogProps } from '#components/session/code-dialog'
import { renewScratchCodes } from '#lib/auth/two-factor.queries'
import { ScratchCodes } from './scratch-codes-list'

/** Ten new scratch codes for a verification code; they are shown this one time. */
export function NewCodesDialog({ session, visible, onCancel, onDone }: TwoFactorDialogProps) {
  const say = useTranslations('account.twoFactor')
  const renew = useMutation(renewScratchCodes(session))
  const notify = useFlash()
  const done = () => {
    renew.reset()
    notify({ type: 'success', content: say('renewed') })
    onDone()
  }
  return (
    <>
      <CodeDialog
        session={session}
        visible={visible && !renew.data}
        header={say('renewTitle')}
        takesScratchCodes
        action={say('renew')}
        actionUnderWay={say('renewing')}
        mutation={renew}
        onAccepted={() => undefined}
        onCancel={onCancel}
      >
        <Box variant="p">{say('renewText')}</Box>
      </CodeDialog>
      <Dialog
        visible={visible && renew.data !== undefined}
        header={say('newTitle')}
        onDismiss={(reason) => reason === 'closeButton' && done()}
        actions={
          <Button variant="primary" onClick={done}>
            {say('kept')}
          </Button>
        }
      >
        <Box variant="p">{say('newText')}</Box>
        <ScratchCodes
          codes={renew.data?.scratchCodes ?? []}
          owner={{ issuer: '', account: session.nick, host: window.location.host }}
        />
      </Dialog>
    </>
  )
}
