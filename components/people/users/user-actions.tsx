import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { useAction } from '#components/base/forms/use-action'
import { RequiresPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Row } from '#components/kit/layout'
import { MenuButton, type MenuEntry } from '#components/kit/menu'
import { screenIcons } from '#components/kit/screen-icons'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import {
  changeUserState,
  enterpriseOfUser,
  type StateChange,
  useRemoveUser,
  useResetTwoFactor,
  userPath,
  usersChanged,
} from '#lib/people/identity/users.queries'
import type { UserRefusals } from './use-user-refusals'

/** The actions that ask for confirmation. */
export type UserDialog = 'disable' | 'lock' | 'reset' | 'remove'

type UserActionsProps = {
  user: UserDocument
  refusals: UserRefusals
  onAsk: (dialog: UserDialog) => void
}

/** The actions on a user. Only actions that reduce access ask for confirmation. */
export function UserActions({ user, refusals, onAsk }: UserActionsProps) {
  const say = useTranslations('users.page')
  const label = useTranslations('labels')
  const sayReset = useTranslations('users.twoFactor')
  const { nick } = user
  const change = useChangeState(user)
  const restore = useAction(change, {
    done: (_, kind) => say(reports[kind], { nick }),
    failed: () => say('failed', { nick }),
  })
  if (!useMay(...access.manageUsers)) return null

  const ask = (id: UserDialog) => () => onAsk(id)
  const entries: readonly MenuEntry[] = [
    user.active
      ? { id: 'disable', text: say('disable'), refused: refusals.shut, run: ask('disable') }
      : { id: 'enable', text: say('enable'), refused: refusals.change, run: () => restore('enable') },
    user.locked
      ? { id: 'unlock', text: say('unlock'), refused: refusals.change, run: () => restore('unlock') }
      : { id: 'lock', text: say('lock'), refused: refusals.shut, run: ask('lock') },
    { id: 'reset', text: sayReset('reset'), refused: refusals.reset, run: ask('reset') },
    { id: 'remove', text: say('delete'), isDanger: true, refused: refusals.remove, run: ask('remove') },
  ]
  return (
    <RequiresPrivilege
      missing={refusals.missing}
      call={{ method: 'PUT', path: userPath(enterpriseOfUser(user), user.id) }}
    >
      <Row>
        <MenuButton label={label('actions')} entries={entries}>
          <Button icon={screenIcons.down} busy={change.isPending}>
            {label('actions')}
          </Button>
        </MenuButton>
        <AppButton
          data-key="e"
          look="main"
          to={paths.editUser(enterpriseOfUser(user) ?? 0, user.id)}
          refused={refusals.change}
        >
          {say('edit')}
        </AppButton>
      </Row>
    </RequiresPrivilege>
  )
}

const reports = { enable: 'enabled', disable: 'disabled', lock: 'locked', unlock: 'unlocked' } as const

function useChangeState(user: UserDocument) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: StateChange) => changeUserState(user, change),
    onSuccess: () => void usersChanged(client),
  })
}

type UserDialogsProps = {
  dialog: UserDialog | undefined
  user: UserDocument
  etag: string | undefined
  onClose: () => void
  onRemoved: () => void
}

export function UserDialogs({ dialog, ...props }: UserDialogsProps) {
  if (dialog === 'disable' || dialog === 'lock') return <BlockUser {...props} kind={dialog} />
  if (dialog === 'reset') return <ResetTwoFactor {...props} />
  return dialog === 'remove' && <RemoveUser {...props} />
}

type DialogProps = Omit<UserDialogsProps, 'dialog'>

/** Asks before the user is disabled or locked, which ends their sessions. */
function BlockUser({ user, kind, onClose }: DialogProps & { kind: 'disable' | 'lock' }) {
  const say = useTranslations('users.page')
  const { nick } = user
  return (
    <Confirm
      title={say(`${kind}Title`, { nick })}
      label={say(kind)}
      mutation={useChangeState(user)}
      input={kind}
      done={() => say(reports[kind], { nick })}
      onDone={onClose}
      onCancel={onClose}
    >
      {say('shutText', { nick })}
    </Confirm>
  )
}

function ResetTwoFactor({ user, onClose }: DialogProps) {
  const say = useTranslations('users.twoFactor')
  const { nick } = user
  return (
    <Confirm
      title={say('resetTitle', { nick })}
      label={say('reset')}
      mutation={useResetTwoFactor()}
      input={user}
      done={({ done, approvals, approvalsNeeded: needed }) =>
        done ? say('done', { nick }) : { type: 'info', content: say('approved', { nick, approvals, needed }) }
      }
      onDone={onClose}
      onCancel={onClose}
    >
      <p>{say('resetText', { nick })}</p>
      <p>{say('resetAsk', { nick })}</p>
      <p className="quiet">{say('approvals')}</p>
    </Confirm>
  )
}

function RemoveUser({ user, etag, onClose, onRemoved }: DialogProps) {
  const say = useTranslations('users.remove')
  const { nick } = user
  return (
    <Confirm
      title={say('title')}
      typed={nick}
      mutation={useRemoveUser()}
      input={{ document: user, etag }}
      done={() => say('done', { nick })}
      advice={{ 'USER-25': say('lastAdministrator') }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say.rich('about', { nick, b: (inside) => <strong>{inside}</strong> })}
    </Confirm>
  )
}
