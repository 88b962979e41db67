import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { type Owner, removeApplication, rotateSecret } from '#lib/people/applications/applications.queries'
import type { ApplicationDocument } from '#lib/people/applications/applications.schema'

type ApplicationDialogProps = {
  owner: Owner
  application: ApplicationDocument
  onClose: () => void
}

type RemoveApplicationProps = ApplicationDialogProps & { onRemoved: () => void }

export function RemoveApplication({ owner, application, onRemoved, onClose }: RemoveApplicationProps) {
  const say = useTranslations('applications.remove')
  const { id, name } = application
  return (
    <Confirm
      title={say('title')}
      typed={name}
      mutation={useMutation(removeApplication(owner, id))}
      input={undefined}
      done={() => say('done', { name })}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say.rich('text', { name, b: (inside) => <strong>{inside}</strong> })}
    </Confirm>
  )
}

/** Asks before a new secret replaces the one that the program signs with. */
export function RotateSecret({ owner, application: { id, name }, onClose }: ApplicationDialogProps) {
  const say = useTranslations('applications.rotate')
  const label = useTranslations('labels')
  return (
    <Confirm
      title={say('title')}
      label={label('generateSecret')}
      mutation={useMutation(rotateSecret(owner, id))}
      input={undefined}
      done={() => say('done', { name })}
      onDone={onClose}
      onCancel={onClose}
    >
      {say.rich('text', { name, b: (inside) => <strong>{inside}</strong> })}
    </Confirm>
  )
}
