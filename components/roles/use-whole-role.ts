import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '#lib/client/api'
import type { Tagged } from '#lib/client/resources.queries'
import { privilegesQuery, rolePrivilegesQuery, roleQuery, useSaveRole } from '#lib/identity/roles.queries'
import { type RoleDraft, sentRole, type WholeRole, wholeRole } from './role-draft'

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

/**
 * Creates a role, or replaces the one that is over. The tag of a role's document says nothing of its privileges: they are
 * read once more, so that nobody else's change of them is lost.
 */
export function useSaveWholeRole() {
  const client = useQueryClient()
  const saving = useSaveRole()
  return async ({
    draft,
    current,
  }: {
    draft: RoleDraft
    current?: Tagged<WholeRole>
  }): Promise<WholeRole> => {
    const known = await client.query(privilegesQuery)
    const sent = sentRole(draft, known)
    if (!current) {
      const made = await saving.mutateAsync({ draft: sent })
      return { role: { document: made, etag: undefined }, privileges: draft.privileges }
    }
    const { role } = current.document
    const now = await client.query({ ...rolePrivilegesQuery(role.document.id), staleTime: 0 })
    if (wholeRole(role, now).etag !== current.etag) throw new ApiFailure({ status: 412, faults: [changed] })
    const saved = await saving.mutateAsync({ draft: sent, current: role })
    return { role: { document: saved, etag: undefined }, privileges: draft.privileges }
  }
}

const changed = { code: '412', message: 'The privileges of the role were changed by somebody else' }
