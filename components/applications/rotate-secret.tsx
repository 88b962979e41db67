import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { ConfirmDelete } from '#components/layout/confirm-delete'
import { useFlash } from '#components/layout/flash'
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
  const rotate = useMutation(rotateSecret(owner, application.id))
  const notify = useFlash()
  const confirm = () =>
    rotate.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: `${application.name} has a new secret. Give it to the program.` })
        onClose()
      },
    })
  return (
    <ConfirmDelete
      title="Make a new secret?"
      confirmLabel="Make a new secret"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={confirm}
      onCancel={onClose}
    >
      From then on nothing that <Box variant="strong">{application.name}</Box> signs with the present secret
      is accepted. Who has let it act in his name need not do so again.
    </ConfirmDelete>
  )
}
