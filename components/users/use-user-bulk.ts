import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/forms/reasons'
import { access } from '#components/screens/access'
import { useMay, useSession } from '#components/session/session'
import type { BulkAction } from '#components/table/bulk'
import type { UserDocument } from '#lib/identity/identity.schema'
import {
  changeUserState,
  deleteUser,
  manyUsersChanged,
  type UserState,
} from '#lib/identity/user-states.queries'
import { enterpriseOfUser } from '#lib/identity/users.queries'

const pause = 300

/** Whatever is shown asks anew once changes pause, not after each of many. */
function useAskAnew(): () => void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void manyUsersChanged(client), pause)
  }
}

/** What can be done with many users at once, and why with some of them not. */
export function useUserBulk(): BulkAction<UserDocument>[] {
  const say = useTranslations('users.bulk')
  const sayRefusal = useTranslations('users.refusal')
  const needs = useNeeds()
  const session = useSession()
  const mayManageOthers = useMay('USERS_MANAGE_OTHER_ENTERPRISES')
  const mayManage = useMay(...access.manageUsers)
  const askAnew = useAskAnew()
  if (!mayManage) return []

  const ofOthers = (rows: readonly UserDocument[]) =>
    !mayManageOthers && rows.some((row) => enterpriseOfUser(row) !== session.enterprise.id)
      ? say('others', { needs: needs('USERS_MANAGE_OTHER_ENTERPRISES') })
      : undefined
  const ofOthersOrSelf = (reason: string) => (rows: readonly UserDocument[]) =>
    rows.some(({ id }) => id === session.id) ? reason : ofOthers(rows)

  const opening = (id: 'enable' | 'unlock', changes: UserState): BulkAction<UserDocument> => ({
    id,
    label: say(id),
    needs: ofOthers,
    run: (row) => changeUserState(row, changes).then(askAnew),
  })
  const shutting = (id: 'disable' | 'lock', changes: UserState): BulkAction<UserDocument> => ({
    id,
    label: say(id),
    needs: ofOthersOrSelf(sayRefusal('shutYourself')),
    run: (row) => changeUserState(row, changes).then(askAnew),
    confirm: { title: say(`${id}Title`), text: say(`${id}Text`) },
  })
  return [
    opening('enable', { active: true }),
    shutting('disable', { active: false }),
    shutting('lock', { locked: true }),
    opening('unlock', { locked: false }),
    {
      id: 'delete',
      label: say('delete'),
      needs: ofOthersOrSelf(sayRefusal('removeYourself')),
      run: (row) => deleteUser(row).then(askAnew),
      confirm: { title: say('deleteTitle'), text: say('deleteText') },
    },
  ]
}
