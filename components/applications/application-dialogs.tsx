import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/forms/confirm'
import { paths } from '#components/screens/paths'
import { removeApplication, rotateSecret } from '#lib/applications/applications.queries'
import type { ApplicationDocument } from '#lib/applications/applications.schema'
import type { SessionDocument } from '#lib/auth/session.schema'

type ApplicationDialogProps = {
  owner: SessionDocument
  application: ApplicationDocument
  onClose: () => void
}

export function RemoveApplication({ owner, application: { id, name }, onClose }: ApplicationDialogProps) {
  const say = useTranslations('applications.remove')
  const navigate = useNavigate()
  return (
    <Confirm
      title={say('title')}
      typed={name}
      mutation={useMutation(removeApplication(owner, id))}
      input={undefined}
      done={() => say('done', { name })}
      onDone={() => void navigate(paths.account())}
      onCancel={onClose}
    >
      {say.rich('text', { name, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </Confirm>
  )
}

/** Asks before a new secret replaces the one that the program signs with. */
export function RotateSecret({ owner, application: { id, name }, onClose }: ApplicationDialogProps) {
  const say = useTranslations('applications.rotate')
  return (
    <Confirm
      title={say('title')}
      label={say('make')}
      mutation={useMutation(rotateSecret(owner, id))}
      input={undefined}
      done={() => say('done', { name })}
      onDone={onClose}
      onCancel={onClose}
    >
      {say.rich('text', { name, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </Confirm>
  )
}
