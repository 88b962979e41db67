import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { useFlash } from '#components/forms/flash'
import { paths } from '#components/paths'
import { removeApplication } from '#lib/oauth/applications.queries'
import type { ApplicationDialogProps } from './rotate-secret'

export function RemoveApplication({ owner, application, onClose }: ApplicationDialogProps) {
  const say = useTranslations('applications.remove')
  const remove = useMutation(removeApplication(owner, application.id))
  const notify = useFlash()
  const navigate = useNavigate()
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done', { name: application.name }) })
        void navigate(paths.account())
      },
    })
  return (
    <ConfirmDelete
      title={say('title')}
      typed={application.name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('text', { name: application.name, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </ConfirmDelete>
  )
}
