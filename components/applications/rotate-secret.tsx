import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { useFlash } from '#components/forms/flash'
import type { SessionDocument } from '#lib/auth/session.schema'
import { rotateSecret } from '#lib/oauth/applications.queries'
import type { ApplicationDocument } from '#lib/oauth/applications.schema'

export type ApplicationDialogProps = {
  owner: SessionDocument
  application: ApplicationDocument
  onClose: () => void
}

/** Asks before the program has to be given another secret. */
export function RotateSecret({ owner, application, onClose }: ApplicationDialogProps) {
  const say = useTranslations('applications.rotate')
  const rotate = useMutation(rotateSecret(owner, application.id))
  const notify = useFlash()
  const confirm = () =>
    rotate.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done', { name: application.name }) })
        onClose()
      },
    })
  return (
    <ConfirmDelete
      title={say('title')}
      confirmLabel={say('make')}
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('text', { name: application.name, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </ConfirmDelete>
  )
}
