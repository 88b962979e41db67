import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useNeeds } from '#components/base/forms/reasons'
import { access } from '#components/base/screens/access'
import { useMay, useSession } from '#components/base/session/session'
import { isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import { namedBy } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { rolePrivilegesQuery } from '#lib/people/identity/roles.queries'
import { hasTwoFactor } from '#lib/people/identity/users.queries'
import { useScopeDocument, useScopeOf } from './scope-card'

/** The privileges of a role that the user does not hold, limited to those that they may see. */
export function useLacking(role: number | undefined): Privilege[] {
  const { privileges } = useSession()
  const mayRead = useMay(...access.roles)
  const read = useQuery({ ...rolePrivilegesQuery(role ?? 0), enabled: role !== undefined && mayRead })
  const held = new Set<string>(privileges)
  return (read.data ?? []).flatMap(({ name }) => (isPrivilege(name) && !held.has(name) ? [name] : []))
}

/** The names of privileges, as a sentence lists them. */
export function usePrivilegeList(): (names: readonly Privilege[]) => string {
  const nameOf = useTranslations('roles.privileges')
  const format = useFormatter()
  return (names) => format.list(names.map((name) => `${nameOf(name)} (${name})`))
}

/** Why the caller may not do each action to this user. No entry: the console knows no reason against it. */
export type UserRefusals = Partial<Record<'change' | 'shut' | 'reset' | 'remove', string>> & {
  /** The privilege that the caller lacks for all of these actions. */
  missing?: Privilege
}

export function useUserRefusals(user: UserDocument): UserRefusals {
  const say = useTranslations('users.refusal')
  const needs = useNeeds()
  const listOf = usePrivilegeList()
  const session = useSession()
  const mayManage = useMay(...access.manageUsers)
  const mayManageOthers = useMay('USERS_MANAGE_OTHER_ENTERPRISES')
  const isSelf = user.id === session.id
  const lacking = useLacking(isSelf || !mayManage ? undefined : namedBy(user, 'role')?.id)
  const { scope } = useScopeOf(user)
  const document = useScopeDocument(scope)

  const isElsewhere = namedBy(user, 'enterprise')?.id !== session.enterprise.id
  const missing = !mayManage
    ? 'USERS_MANAGE_USERS'
    : isElsewhere && !mayManageOthers
      ? 'USERS_MANAGE_OTHER_ENTERPRISES'
      : undefined

  const refusalToAll = (): string | undefined => {
    if (!mayManage) return needs('USERS_MANAGE_USERS')
    if (missing) return say('otherEnterprise', { needs: needs('USERS_MANAGE_OTHER_ENTERPRISES') })
    if (isSelf) return undefined
    if (lacking.length > 0) return say('holdsMorePrivileges', { names: listOf(lacking) })
    const { allEnterprises, allDatacenters } = session.scope
    const isWider =
      (document?.automaticAddEnterprise && !allEnterprises) ||
      (document?.automaticAddDatacenter && !allDatacenters)
    return isWider ? say('holdsMoreScope') : undefined
  }
  const all = refusalToAll()
  const reset = isSelf ? say('resetYourself') : hasTwoFactor(user) ? undefined : say('twoFactorOff')
  return {
    ...(missing && { missing }),
    ...(all && { change: all, shut: all, reset: all, remove: all }),
    ...(!all && isSelf && { shut: say('shutYourself'), remove: say('removeYourself') }),
    ...(!all && reset && { reset }),
  }
}
