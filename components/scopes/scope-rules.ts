import { seesEverything } from '#lib/auth/privileges'
import type { SessionDocument } from '#lib/auth/session.schema'
import { GLOBAL_SCOPE } from '#lib/scopes/scopes.schema'

export type ScopeAction = 'newChild' | 'edit' | 'move' | 'delete'

/** As much of a scope as the rules look at: the tree's nodes and whole documents both have it. */
export type ScopeSubject = {
  id: number
  name: string
  automaticAddDatacenter: boolean
  automaticAddEnterprise: boolean
}

type OwnScope = SessionDocument['scope']

export const isUnlimited = (scope: Pick<ScopeSubject, 'automaticAddDatacenter' | 'automaticAddEnterprise'>) =>
  scope.automaticAddDatacenter || scope.automaticAddEnterprise

/** The parent of the own scope stands above what a limited user sees. */
export const isPinned = (scope: { id: number }, own: OwnScope): boolean =>
  scope.id === own.id && !seesEverything(own)

/** Why an action cannot be done with this scope, or undefined where it can. */
export function refusalOf(action: ScopeAction, scope: ScopeSubject, own: OwnScope): string | undefined {
  if (action === 'newChild') return undefined
  if (scope.id === GLOBAL_SCOPE) {
    return action === 'delete'
      ? 'The global scope cannot be deleted (SCOPE-2)'
      : 'The global scope cannot be changed (SCOPE-3)'
  }
  if (action === 'move' && isUnlimited(scope)) return 'An unlimited scope cannot have a parent (SCOPE-20)'
  if (action === 'move' && isPinned(scope, own))
    return 'Your own scope stays where it is: above it you see nothing'
  return undefined
}

const advice: Record<string, string> = {
  'SCOPE-2': 'The global scope always stays.',
  'SCOPE-5': 'Give these roles another scope, then try again.',
  'SCOPE-11': 'Share the template through another scope, then try again.',
  'SCOPE-12': 'Give the enterprise another default scope, then try again.',
  'SCOPE-17': 'Give these users another scope, then try again.',
  'SCOPE-19': 'Move or delete the scopes below it, then try again.',
}

/** What to do about the refusal of a delete. */
export const deleteAdvice = (code: string): string | undefined => advice[code]

/** `Unlimited`, or in what. */
export function unlimitedMark(
  scope: Pick<ScopeSubject, 'automaticAddDatacenter' | 'automaticAddEnterprise'>,
): string | undefined {
  if (scope.automaticAddDatacenter && scope.automaticAddEnterprise) return 'Unlimited'
  if (scope.automaticAddDatacenter) return 'Unlimited in datacenters'
  return scope.automaticAddEnterprise ? 'Unlimited in enterprises' : undefined
}
