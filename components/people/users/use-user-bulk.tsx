import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/base/forms/reasons'
import { access } from '#components/base/screens/access'
import { useMay, useMayPick, useSession } from '#components/base/session/session'
import { deferred } from '#components/kit/deferred'
import type { BulkAction, BulkSubject } from '#components/table/bulk'
import { useTagAction } from '#components/table/tag-action'
import type { Named } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { rolePath } from '#lib/people/identity/roles.queries'
import { enterpriseOfUser, stateChanges, usersChanged, usersPath } from '#lib/people/identity/users.queries'
import { bulkCall } from '#lib/record/jobs/bulk.queries'

const NamedField = deferred(async () => (await import('#components/base/pickers/named-picker')).NamedField)

/** The actions on many users at once, with the reasons against them. */
export function useUserBulk(
  enterprise: number | undefined,
  selected: readonly UserDocument[],
): BulkAction<UserDocument>[] {
  const say = useTranslations('users.bulk')
  const sayRefusal = useTranslations('users.refusal')
  const needs = useNeeds()
  const session = useSession()
  const mayManageOthers = useMay('USERS_MANAGE_OTHER_ENTERPRISES')
  const mayManage = useMay(...access.manageUsers)
  const client = useQueryClient()
  const changed = () => void usersChanged(client)
  const label = useTranslations('labels')
  const [role, setRole] = useState<Named>()
  const mayPickRole = useMayPick('role')
  const ofOthers = (rows: readonly UserDocument[]) =>
    !mayManageOthers && rows.some((row) => enterpriseOfUser(row) !== session.enterprise.id)
      ? say('others', { needs: needs('USERS_MANAGE_OTHER_ENTERPRISES') })
      : undefined
  const ofOthersOrSelf = (reason: string) => (rows: readonly UserDocument[]) =>
    rows.some(({ id }) => id === session.id) ? reason : ofOthers(rows)

  const counted = (count: number) => say('counted', { count })
  const doneAs = (id: 'enable' | 'disable' | 'lock' | 'unlock' | 'delete') => (rows: BulkSubject) =>
    say(`done.${id}`, rows)
  const call = (action: 'changeusers' | 'deleteusers', change = {}) =>
    bulkCall(`${usersPath(enterprise)}/action/${action}`, change)
  const restore = (id: 'enable' | 'unlock'): BulkAction<UserDocument> => ({
    id,
    label: say(id),
    needs: ofOthers,
    call: call('changeusers', stateChanges[id]),
    undo: call('changeusers', stateChanges[id === 'enable' ? 'disable' : 'lock']),
    counted,
    done: doneAs(id),
    changed,
    asks: 'never',
  })
  const block = (id: 'disable' | 'lock'): BulkAction<UserDocument> => ({
    id,
    label: say(id),
    needs: ofOthersOrSelf(sayRefusal('shutYourself')),
    call: call('changeusers', stateChanges[id]),
    undo: call('changeusers', stateChanges[id === 'disable' ? 'enable' : 'unlock']),
    counted,
    done: doneAs(id),
    changed,
    asks: 'always',
    confirm: (rows) => ({ title: say(`${id}Title`, rows), text: say(`${id}Text`, rows) }),
  })
  const giveRole: BulkAction<UserDocument> = {
    id: 'role',
    label: say('role'),
    needs: ofOthersOrSelf(say('roleYourself')),
    call: call('changeusers', { links: role ? [{ rel: 'role', href: rolePath(role.id) }] : [] }),
    counted,
    done: (rows) => say('done.role', { ...rows, role: role?.name ?? '' }),
    changed,
    asks: 'always',
    confirm: (rows) => ({
      title: say('roleTitle', rows),
      text: <NamedField kind="role" label={label('role')} value={role} onChange={setRole} />,
      isReady: role !== undefined,
    }),
  }
  const tags = useTagAction({
    selected,
    callWith: (change) => call('changeusers', change),
    needs: ofOthers,
    counted,
    changed,
  })
  if (!mayManage) return []
  return [
    restore('enable'),
    block('disable'),
    block('lock'),
    restore('unlock'),
    ...(mayPickRole ? [giveRole] : []),
    tags,
    {
      id: 'delete',
      label: say('delete'),
      needs: ofOthersOrSelf(sayRefusal('removeYourself')),
      call: call('deleteusers'),
      counted,
      done: doneAs('delete'),
      changed,
      asks: 'always',
      confirm: (rows) => ({ title: say('deleteTitle', rows), text: say('deleteText', rows) }),
    },
  ]
}
