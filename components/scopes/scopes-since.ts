import type { Present } from '#components/frame/as-of/present'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'

/* "Compare with now" in the tree and in the map of scopes. */

/** The drawn scopes below a scope of then; `parent` 0 is the top level. */
export type DrawnBranch = {
  parent: number
  nodes: readonly ScopeTreeNode[]
  /** All of the branch is drawn: then the scopes that came can be known. */
  isWhole: boolean
}

/** What has happened to a scope since. */
export type ScopeSince = {
  kind: 'same' | 'changed' | 'removed' | 'added' | 'movedTo' | 'movedHere'
  /** Of a scope that moved: its other parent; undefined is the top. */
  parent?: number | undefined
  now?: ScopeTreeNode
  /** Of a scope with other scopes below it: how many there were. */
  below?: number
}

type Nodes = ReadonlyMap<number, Present<ScopeTreeNode>>

const figures = [
  'name',
  'automaticAddEnterprise',
  'automaticAddDatacenter',
  'enterprises',
  'datacenters',
  'users',
  'usersBelow',
  'children',
] as const

/** The scopes that are in a branch now, and were not then. */
export const newIn = ({ parent, nodes, isWhole }: DrawnBranch, present: Nodes): ScopeTreeNode[] =>
  isWhole
    ? [...present.values()].flatMap((now) =>
        now !== 'gone' && (now.parent ?? 0) === parent && !nodes.some(({ id }) => id === now.id) ? [now] : [],
      )
    : []

/** What has happened to a scope that was in the branch. Undefined: not known yet. */
export function sinceOf(
  then: ScopeTreeNode,
  now: Present<ScopeTreeNode> | undefined,
): ScopeSince | undefined {
  if (now === undefined || now === 'gone') return now && { kind: 'removed' }
  if (now.parent !== then.parent) return { kind: 'movedTo', parent: now.parent, now }
  if (!figures.some((name) => then[name] !== now[name])) return { kind: 'same' }
  return { kind: 'changed', now, ...(then.children !== now.children && { below: then.children }) }
}

/** How a scope came into a branch: it is new, or was elsewhere. Undefined: not known yet. */
export function arrivalOf(then: Present<ScopeTreeNode> | undefined): ScopeSince | undefined {
  if (then === undefined) return undefined
  return then === 'gone' ? { kind: 'added' } : { kind: 'movedHere', parent: then.parent }
}
