import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { access } from '#components/screens/access'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import type { UserDocument } from '#lib/identity/identity.schema'
import { enterpriseOfUser } from '#lib/identity/users.queries'
import type { UserRefusals } from './use-user-refusals'
import { type UserDialog, useChangeState } from './user-dialogs'

type UserActionsProps = {
  user: UserDocument
  refusals: UserRefusals
  onAsk: (dialog: UserDialog) => void
}

const nothing = () => undefined

/** What can be done with a user. To open an account asks nothing, to shut one does. */
export function UserActions({ user, refusals, onAsk }: UserActionsProps) {
  const say = useTranslations('users.page')
  const sayReset = useTranslations('users.twoFactor')
  const follow = useFollow()
  const notify = useFlash()
  const open = useChangeState(user, nothing)
  const { nick } = user
  if (!useMay(...access.manageUsers)) return null

  const refused = (reason: string | undefined) =>
    reason === undefined ? {} : { disabled: true, disabledReason: reason }
  const act = (id: string) => {
    const onError = (error: Error) =>
      notify({ type: 'error', header: say('failed', { nick }), content: <FailureText error={error} /> })
    if (id === 'enable') open.mutate({ active: true }, { onError })
    else if (id === 'unlock') open.mutate({ locked: false }, { onError })
    else if (id === 'disable' || id === 'lock' || id === 'reset' || id === 'remove') onAsk(id)
  }
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ButtonDropdown
        loading={open.isPending}
        items={[
          user.active
            ? { id: 'disable', text: say('disable'), ...refused(refusals.shut) }
            : { id: 'enable', text: say('enable'), ...refused(refusals.change) },
          user.locked
            ? { id: 'unlock', text: say('unlock'), ...refused(refusals.change) }
            : { id: 'lock', text: say('lock'), ...refused(refusals.shut) },
          { id: 'reset', text: sayReset('reset'), ...refused(refusals.reset) },
          { id: 'remove', text: say('delete'), ...refused(refusals.remove) },
        ]}
        onItemClick={({ detail }) => act(detail.id)}
      >
        {say('actions')}
      </ButtonDropdown>
      <Button
        variant="primary"
        href={paths.editUser(enterpriseOfUser(user) ?? 0, user.id)}
        onFollow={follow}
        {...refused(refusals.change)}
      >
        {say('edit')}
      </Button>
    </SpaceBetween>
  )
}
