import Box from '@cloudscape-design/components/box'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { isStaleWrite } from '#components/forms/conflict'
import { useFlash } from '#components/forms/flash'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { useMay } from '#components/session/session'
import { roleQuery, useRemoveRole } from '#lib/identity/roles.queries'
import { usersOfRole } from './role-links'

type RemoveRoleProps = { id: number; onClose: () => void; onRemoved: () => void }

/** Asks for the name before a role goes. */
export function RemoveRole({ id, onClose, onRemoved }: RemoveRoleProps) {
  const say = useTranslations('roles.remove')
  const notify = useFlash()
  const maySeeUsers = useMay(...access.users)
  const current = useQuery(roleQuery(id))
  const remove = useRemoveRole()
  const name = current.data?.document.name ?? ''

  const confirm = () => {
    if (!current.data) return
    remove.mutate(current.data, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done', { role: name }) })
        onRemoved()
      },
      onError: (error) => isStaleWrite(error) && void current.refetch(),
    })
  }
  const hasUsers = (
    <>
      {say('users')}{' '}
      {maySeeUsers && (
        <AppLink to={usersOfRole(id)} fontSize="inherit">
          {say('showUsers')}
        </AppLink>
      )}
    </>
  )
  return (
    <ConfirmDelete
      title={say('title')}
      typed={name}
      busy={remove.isPending || current.isPending}
      error={remove.error ?? current.error}
      advice={(code) => (code === 'ROLE-3' ? hasUsers : undefined)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('about', { role: name, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </ConfirmDelete>
  )
}
