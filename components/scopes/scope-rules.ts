import { seesEverything } from '#lib/auth/privileges'
import type { SessionDocument } from '#lib/auth/session.schema'
import { GLOBAL_SCOPE } from '#lib/scopes/scopes.schema'

export type ScopeAction = 'newChild' | 'edit' | 'move' | 'delete'
type ScopeRule = 'globalDelete' | 'globalChange' | 'unlimitedMove' | 'ownMove'

/** As much of a scope as the rules look at: the tree's nodes and whole documents both have it. */
export type ScopeSubject = {
  id: number
  name: string
  automaticAddDatacenter: boolean
  automaticAddEnterprise: boolean
}

type OwnScope = SessionDocument['scope']

const isUnlimited = (scope: Pick<ScopeSubject, 'automaticAddDatacenter' | 'automaticAddEnterprise'>) =>
  scope.automaticAddDatacenter || scope.automaticAddEnterprise

/** The parent of the own scope stands above what a limited user sees. */
export const isPinned = (scope: { id: number }, own: OwnScope): boolean =>
  scope.id === own.id && !seesEverything(own)

/** Why an action cannot be done with this scope (a word of `scopes.rules`), or undefined where it can. */
export function refusalOf(action: ScopeAction, scope: ScopeSubject, own: OwnScope): ScopeRule | undefined {
  if (action === 'newChild') return undefined
  if (scope.id === GLOBAL_SCOPE) return action === 'delete' ? 'globalDelete' : 'globalChange'
  if (action === 'move' && isUnlimited(scope)) return 'unlimitedMove'
  if (action === 'move' && isPinned(scope, own)) return 'ownMove'
  return undefined
}

/** In what a scope is unlimited (a word of `scopes.marks`). */
export function unlimitedMark(
  scope: Pick<ScopeSubject, 'automaticAddDatacenter' | 'automaticAddEnterprise'>,
): 'unlimited' | 'datacenters' | 'enterprises' | undefined {
  if (scope.automaticAddDatacenter && scope.automaticAddEnterprise) return 'unlimited'
  if (scope.automaticAddDatacenter) return 'datacenters'
  return scope.automaticAddEnterprise ? 'enterprises' : undefined
}
