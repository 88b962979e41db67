import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/forms/confirm'
import { endOtherSessions } from '#lib/auth/own-sessions.queries'

export function EndOthersDialog({ visible, onClose }: { visible: boolean; onClose: () => void }) {
  const say = useTranslations('account.sessions')
  return (
    <Confirm
      visible={visible}
      title={say('endOthersTitle')}
      label={say('endOthers')}
      busyLabel={say('ending')}
      mutation={useMutation(endOtherSessions())}
      input={undefined}
      done={() => say('othersEnded')}
      onDone={onClose}
      onCancel={onClose}
    >
      <Box variant="p">{say('endOthersText')}</Box>
    </Confirm>
  )
}
