import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/forms/reasons'
import { access } from '#components/screens/access'
import { useMay, useSession } from '#components/session/session'
import { usePrivilegeList } from '#components/users/use-user-refusals'
import { isPrivilege, type Privilege } from '#lib/auth/privileges'
import { namedBy } from '#lib/http/view'
import type { PrivilegeDocument, RoleDocument } from '#lib/identity/identity.schema'
import { rolePrivilegesQuery } from '#lib/identity/roles.queries'

export const namesOf = (privileges: readonly PrivilegeDocument[]): Privilege[] =>
  privileges.map(({ name }) => name).filter(isPrivilege)

/** Why the user may not change this role; undefined if the console knows no reason. */
export function useRoleRefusal(role: RoleDocument): string | undefined {
  const say = useTranslations('roles.refusal')
  const needs = useNeeds()
  const listOf = usePrivilegeList()
  const session = useSession()
  const mayManage = useMay(...access.manageRoles)
  const { data = [] } = useQuery(rolePrivilegesQuery(role.id))
  const lacking = namesOf(data).filter((name) => !session.privileges.includes(name))
  if (!mayManage) return needs('USERS_MANAGE_ROLES')
  if (role.blocked) return say('blocked')
  if (lacking.length > 0) return say('holdsMore', { names: listOf(lacking) })
  const isOfAll = namedBy(role, 'enterprise') === undefined
  return isOfAll && !session.scope.allEnterprises ? say('everyEnterprise') : undefined
}
