import Box from '@cloudscape-design/components/box'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { isStaleWrite } from '#components/forms/conflict'
import { useFlash } from '#components/forms/flash'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import { enterpriseQuery, useRemoveEnterprise } from '#lib/identity/enterprises.queries'

type RemoveEnterpriseProps = { id: number; onClose: () => void; onRemoved: () => void }

/** Asks for the name before an enterprise goes. */
export function RemoveEnterprise({ id, onClose, onRemoved }: RemoveEnterpriseProps) {
  const say = useTranslations('enterprises.remove')
  const notify = useFlash()
  const maySeeUsers = useMay(...access.users)
  const current = useQuery(enterpriseQuery(id))
  const remove = useRemoveEnterprise()
  const name = current.data?.document.name ?? ''

  const confirm = () => {
    if (!current.data) return
    remove.mutate(current.data, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done', { enterprise: name }) })
        onRemoved()
      },
      onError: (error) => isStaleWrite(error) && void current.refetch(),
    })
  }
  const inUse = (
    <>
      {say('inUse')}{' '}
      {maySeeUsers && (
        <AppLink to={paths.enterprise(id, 'users')} fontSize="inherit">
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
      advice={(code) => (code === 'ENTERPRISE-5' ? inUse : undefined)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('about', { enterprise: name, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </ConfirmDelete>
  )
}
