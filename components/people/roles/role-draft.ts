import type { ReactNode } from 'react'
import { textFaults } from '#components/base/forms/form-faults'
import { isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import type { Tagged } from '#lib/client/resources.queries'
import { type Named, namedBy } from '#lib/ground/http/view'
import { type PrivilegeDocument, type RoleDocument, roleInput } from '#lib/people/identity/identity.schema'
import type { RoleDraft as SentDraft } from '#lib/people/identity/roles.queries'
import type { Say } from '#lib/words/words'
import { inGroups } from './privilege-groups'

/** The fields of the role form. */
export type RoleDraft = {
  name: string
  /** Undefined: the role belongs to all enterprises. */
  enterprise: Named | undefined
  scope: Named | undefined
  privileges: readonly Privilege[]
}

export type RoleField = 'name' | 'enterprise' | 'scope' | 'privileges'

/** A role with its privileges. The API keeps them as two resources; the form edits both at once. */
export type WholeRole = { role: Tagged<RoleDocument>; privileges: readonly Privilege[] }

/** The ETag covers both, so that a change of either is noticed. */
export const wholeRole = (
  role: Tagged<RoleDocument>,
  granted: readonly PrivilegeDocument[],
): Tagged<WholeRole> => {
  const privileges = granted.map(({ name }) => name).filter(isPrivilege)
  return { document: { role, privileges }, etag: `${role.etag} ${[...privileges].sort().join()}` }
}

export const draftOfRole = ({ role, privileges }: WholeRole): RoleDraft => ({
  name: role.document.name,
  enterprise: namedBy(role.document, 'enterprise'),
  scope: namedBy(role.document, 'scope'),
  privileges: inGroups.filter((name) => privileges.includes(name)),
})

/** `known`: all privileges with their ids. */
export const sentRole = (
  { name, enterprise, scope, privileges }: RoleDraft,
  known: readonly PrivilegeDocument[],
): SentDraft => ({
  name: name.trim(),
  enterprise: enterprise?.id,
  scope: scope?.id,
  privileges: known
    .filter((one) => isPrivilege(one.name) && privileges.includes(one.name))
    .map(({ id }) => id),
})

/** The faults of the draft by the shared schema. `base`: the saved version of an existing role. */
export function checkRole(
  { say, sayText }: { say: Say<'roles.form'>; sayText: Say<'forms.faults'> },
  draft: RoleDraft,
  base: RoleDraft | undefined,
): Partial<Record<RoleField, ReactNode>> {
  const { name } = textFaults(sayText, roleInput, { name: draft.name.trim() })
  const isEmptied = base !== undefined && base.privileges.length > 0 && draft.privileges.length === 0
  return { ...(name && { name }), ...(isEmptied && { privileges: say('noneChosen') }) }
}
