import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { ConfirmDelete } from '#components/layout/confirm-delete'
import { useFlash } from '#components/layout/flash'
import { paths } from '#components/paths'
import { removeApplication } from '#lib/oauth/applications.queries'
import type { ApplicationDialogProps } from './rotate-secret'

export function RemoveApplication({ owner, application, onClose }: ApplicationDialogProps) {
  const remove = useMutation(removeApplication(owner, application.id))
  const notify = useFlash()
  const navigate = useNavigate()
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: `The application ${application.name} is deleted.` })
        void navigate(paths.account())
      },
    })
  return (
    <ConfirmDelete
      title="Delete application?"
      typed={application.name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Box variant="strong">{application.name}</Box> can act for nobody any more, and everybody who has let it
      would have to do so again. This cannot be undone.
    </ConfirmDelete>
  )
}
