import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { endOtherSessions } from '#lib/auth/own-sessions.queries'

export function EndOthersDialog({ visible, onClose }: { visible: boolean; onClose: () => void }) {
  const say = useTranslations('account.sessions')
  const sayCommon = useTranslations('common')
  const ending = useMutation(endOtherSessions())
  const notify = useFlash()
  const close = () => {
    ending.reset()
    onClose()
  }
  const end = () =>
    ending.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: say('othersEnded') })
        close()
      },
    })
  return (
    <Dialog
      visible={visible}
      header={say('endOthersTitle')}
      onDismiss={close}
      actions={
        <>
          <Button variant="link" onClick={close}>
            {sayCommon('cancel')}
          </Button>
          <Button variant="primary" loading={ending.isPending} loadingText={say('ending')} onClick={end}>
            {say('endOthers')}
          </Button>
        </>
      }
    >
      <Box variant="p">{say('endOthersText')}</Box>
      {ending.isError && <Failure error={ending.error} />}
    </Dialog>
  )
}
