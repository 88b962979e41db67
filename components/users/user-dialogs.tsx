import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import type { UserDocument } from '#lib/identity/identity.schema'
import { changeUserState, manyUsersChanged } from '#lib/identity/user-states.queries'
import { useRemoveUser, useResetTwoFactor } from '#lib/identity/users.queries'

export type UserDialog = 'disable' | 'lock' | 'reset' | 'remove'

type Props = { user: UserDocument; onClose: () => void }

/** Asks before somebody is signed out everywhere. */
export function ShutUser({ user, kind, onClose }: Props & { kind: 'disable' | 'lock' }) {
  const say = useTranslations('users.page')
  const sayCommon = useTranslations('common')
  const shut = useChangeState(user, onClose)
  const changes = kind === 'lock' ? { locked: true } : { active: false }
  return (
    <Dialog
      header={say(`${kind}Title`, { nick: user.nick })}
      onDismiss={onClose}
      actions={
        <>
          <Button variant="link" onClick={onClose}>
            {sayCommon('cancel')}
          </Button>
          <Button variant="primary" loading={shut.isPending} onClick={() => shut.mutate(changes)}>
            {say(kind)}
          </Button>
        </>
      }
    >
      <div>{say('shutText', { nick: user.nick })}</div>
      {shut.error && <Failure error={shut.error} />}
    </Dialog>
  )
}

/** Reads the user again, changes whether they may sign in, and reports the result. */
export function useChangeState(user: UserDocument, onDone: () => void) {
  const say = useTranslations('users.page')
  const client = useQueryClient()
  const notify = useFlash()
  return useMutation({
    mutationFn: (changes: { active: boolean } | { locked: boolean }) => changeUserState(user, changes),
    onSuccess: async (_, changes) => {
      const told =
        'active' in changes
          ? changes.active
            ? 'enabled'
            : 'disabled'
          : changes.locked
            ? 'locked'
            : 'unlocked'
      notify({ type: 'success', content: say(told, { nick: user.nick }) })
      onDone()
      await manyUsersChanged(client)
    },
  })
}

export function ResetTwoFactor({ user, onClose }: Props) {
  const say = useTranslations('users.twoFactor')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
  const reset = useResetTwoFactor()
  const { nick } = user
  const confirm = () =>
    reset.mutate(user, {
      onSuccess: ({ done, approvals, approvalsNeeded: needed }) => {
        notify(
          done
            ? { type: 'success', content: say('done', { nick }) }
            : { type: 'info', content: say('approved', { nick, approvals, needed }) },
        )
        onClose()
      },
    })
  return (
    <Dialog
      header={say('resetTitle', { nick })}
      onDismiss={onClose}
      actions={
        <>
          <Button variant="link" onClick={onClose}>
            {sayCommon('cancel')}
          </Button>
          <Button variant="primary" loading={reset.isPending} onClick={confirm}>
            {say('reset')}
          </Button>
        </>
      }
    >
      <div>
        <Box variant="p">{say('resetText', { nick })}</Box>
        <Box variant="p">{say('resetAsk', { nick })}</Box>
        <Box variant="p" color="text-body-secondary">
          {say('approvals')}
        </Box>
      </div>
      {reset.error && <Failure error={reset.error} />}
    </Dialog>
  )
}

export function RemoveUser({
  user,
  etag,
  onClose,
  onRemoved,
}: Props & { etag: string | undefined; onRemoved: () => void }) {
  const say = useTranslations('users.remove')
  const notify = useFlash()
  const remove = useRemoveUser()
  const { nick } = user
  const confirm = () =>
    remove.mutate(
      { document: user, etag },
      {
        onSuccess: () => {
          notify({ type: 'success', content: say('done', { nick }) })
          onRemoved()
        },
      },
    )
  return (
    <ConfirmDelete
      title={say('title')}
      typed={nick}
      busy={remove.isPending}
      error={remove.error}
      advice={(code) => (code === 'USER-25' ? say('lastAdministrator') : undefined)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('about', { nick, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </ConfirmDelete>
  )
}
