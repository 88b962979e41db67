import { seesEverything } from '#lib/caller/auth/privileges'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { GLOBAL_SCOPE } from '#lib/caller/scopes/scopes.schema'

export type ScopeAction = 'newChild' | 'edit' | 'map' | 'move' | 'delete'
type ScopeRule = 'globalDelete' | 'globalChange' | 'unlimitedMove' | 'ownMove'

/** The fields that the rules read. Tree nodes and full documents both have them. */
export type ScopeSubject = {
  id: number
  name: string
  automaticAddDatacenter: boolean
  automaticAddEnterprise: boolean
}

type OwnScope = SessionDocument['scope']

const isUnlimited = (scope: Pick<ScopeSubject, 'automaticAddDatacenter' | 'automaticAddEnterprise'>) =>
  scope.automaticAddDatacenter || scope.automaticAddEnterprise

/** Limited users do not see the parent of their own scope, so they cannot move it. */
export const isPinned = (scope: { id: number }, own: OwnScope): boolean =>
  scope.id === own.id && !seesEverything(own)

/** Why this scope refuses the action (a word of `scopes.rules`); undefined if the action is possible. */
export function refusalOf(action: ScopeAction, scope: ScopeSubject, own: OwnScope): ScopeRule | undefined {
  if (action === 'newChild' || action === 'map') return undefined
  if (scope.id === GLOBAL_SCOPE) return action === 'delete' ? 'globalDelete' : 'globalChange'
  if (action === 'move' && isUnlimited(scope)) return 'unlimitedMove'
  if (action === 'move' && isPinned(scope, own)) return 'ownMove'
  return undefined
}

/** The dimensions in which a scope is unlimited (a word of `scopes.marks`). */
export function unlimitedMark(
  scope: Pick<ScopeSubject, 'automaticAddDatacenter' | 'automaticAddEnterprise'>,
): 'unlimited' | 'datacenters' | 'enterprises' | undefined {
  if (scope.automaticAddDatacenter && scope.automaticAddEnterprise) return 'unlimited'
  if (scope.automaticAddDatacenter) return 'datacenters'
  return scope.automaticAddEnterprise ? 'enterprises' : undefined
}
