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
  enterpriseOfUser,
  type StateChange,
  usersChanged,
} from '#lib/identity/users.queries'

/** In milliseconds. */
const pause = 300

/** Invalidates the lists of users once after many changes, when the changes pause. */
function useInvalidation(): () => void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void usersChanged(client), pause)
  }
}

/** The actions on many users at once, with the reasons against them. */
export function useUserBulk(): BulkAction<UserDocument>[] {
  const say = useTranslations('users.bulk')
  const sayRefusal = useTranslations('users.refusal')
  const needs = useNeeds()
  const session = useSession()
  const mayManageOthers = useMay('USERS_MANAGE_OTHER_ENTERPRISES')
  const mayManage = useMay(...access.manageUsers)
  const invalidate = useInvalidation()
  if (!mayManage) return []

  const ofOthers = (rows: readonly UserDocument[]) =>
    !mayManageOthers && rows.some((row) => enterpriseOfUser(row) !== session.enterprise.id)
      ? say('others', { needs: needs('USERS_MANAGE_OTHER_ENTERPRISES') })
      : undefined
  const ofOthersOrSelf = (reason: string) => (rows: readonly UserDocument[]) =>
    rows.some(({ id }) => id === session.id) ? reason : ofOthers(rows)

  const restore = (id: StateChange): BulkAction<UserDocument> => ({
    id,
    label: say(id),
    needs: ofOthers,
    run: (row) => changeUserState(row, id).then(invalidate),
  })
  const block = (id: 'disable' | 'lock'): BulkAction<UserDocument> => ({
    ...restore(id),
    needs: ofOthersOrSelf(sayRefusal('shutYourself')),
    confirm: { title: say(`${id}Title`), text: say(`${id}Text`) },
  })
  return [
    restore('enable'),
    block('disable'),
    block('lock'),
    restore('unlock'),
    {
      id: 'delete',
      label: say('delete'),
      needs: ofOthersOrSelf(sayRefusal('removeYourself')),
      run: (row) => deleteUser(row).then(invalidate),
      confirm: { title: say('deleteTitle'), text: say('deleteText') },
    },
  ]
}
