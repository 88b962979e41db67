import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/base/forms/reasons'
import { access } from '#components/base/screens/access'
import { useMay, useSession } from '#components/base/session/session'
import { usePrivilegeList } from '#components/people/users/use-user-refusals'
import { isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import { ApiFailure } from '#lib/client/api'
import type { Tagged } from '#lib/client/resources.queries'
import { namedBy } from '#lib/ground/http/view'
import type { PrivilegeDocument, RoleDocument } from '#lib/people/identity/identity.schema'
import {
  rolePrivilegesQuery,
  roleQuery,
  type SentRole,
  useSaveRole,
} from '#lib/people/identity/roles.queries'
import { inGroups } from './privilege-groups'

export const namesOf = (privileges: readonly PrivilegeDocument[]): Privilege[] =>
  privileges.map(({ name }) => name).filter(isPrivilege)

/** A role with its privileges. The API keeps them as two resources; the form edits both at once. `tag`: the ETag of the role alone. */
export type WholeRole = RoleDocument & { privilege: readonly Privilege[]; tag: string | undefined }

/** The ETag covers both, so that a change of either is noticed. */
export const wholeRole = (
  { document, etag }: Tagged<RoleDocument>,
  granted: readonly PrivilegeDocument[],
): Tagged<WholeRole> => {
  const held = namesOf(granted)
  const privilege = inGroups.filter((name) => held.includes(name))
  return { document: { ...document, privilege, tag: etag }, etag: `${etag} ${privilege.join()}` }
}

/** A role and its privileges, as `useFresh` would read them for a form. `isEnabled`: whether there is a role to read. */
export function useWholeRole(id: number, isEnabled = true) {
  const role = useQuery({ ...roleQuery(id), enabled: isEnabled, refetchOnMount: 'always' })
  const privileges = useQuery({ ...rolePrivilegesQuery(id), enabled: isEnabled, refetchOnMount: 'always' })
  const isFresh = role.isFetchedAfterMount && privileges.isFetchedAfterMount
  const whole = (read: typeof role.data, granted: typeof privileges.data) =>
    read && granted && wholeRole(read, granted)
  return {
    data: isFresh ? whole(role.data, privileges.data) : undefined,
    error: role.error ?? privileges.error,
    refetch: async () => {
      const [read, granted] = await Promise.all([role.refetch(), privileges.refetch()])
      return { data: whole(read.data, granted.data) }
    },
  }
}

type Sent = { draft: SentRole; current?: Tagged<WholeRole> }

/**
 * Creates a role, or replaces `current`. The ETag of a role does not cover its privileges, so they are read again before the save: a change
 * by another user is then reported instead of lost.
 */
export function useSaveWholeRole() {
  const client = useQueryClient()
  const saving = useSaveRole()
  return async ({ draft, current }: Sent): Promise<RoleDocument> => {
    const role = current && { document: current.document, etag: current.document.tag }
    if (role) {
      const now = await client.query({ ...rolePrivilegesQuery(role.document.id), staleTime: 0 })
      if (wholeRole(role, now).etag !== current.etag) throw new ApiFailure({ status: 412, faults: [changed] })
    }
    return saving.mutateAsync({ draft, ...(role && { current: role }) })
  }
}

const changed = { code: '412', message: 'The privileges of the role were changed by somebody else' }

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
