import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import type { Branch, BranchStatus } from './tree-rows'

/** A visible scope and its position among its siblings. */
export type NodeLine = {
  key: string
  node: ScopeTreeNode
  level: number
  position: number
  siblings: number
  /** Undefined: the scope has nothing below it. */
  open: boolean | undefined
}

/** A placeholder for the unloaded scopes of a branch; `parent` 0 is the top level. */
export type RestLine = {
  key: string
  parent: number
  level: number
  status: Exclude<BranchStatus, 'finished'> | 'empty'
}

export type TreeLine = NodeLine | RestLine

export const isNode = (line: TreeLine): line is NodeLine => 'node' in line

type Tree = {
  branch: (id: number) => Branch
  isOpen: (id: number) => boolean
  canOpen: (node: ScopeTreeNode) => boolean
}

/** The visible lines of a tree, from top to bottom. */
export function treeLines(tree: Tree): TreeLine[] {
  const lines: TreeLine[] = []
  const add = (parent: number, level: number) => {
    const { nodes, total, status } = tree.branch(parent)
    for (const [index, node] of nodes.entries()) {
      const open = tree.canOpen(node) ? tree.isOpen(node.id) : undefined
      lines.push({
        key: `scope-${node.id}`,
        node,
        level,
        position: index + 1,
        siblings: Math.max(total, nodes.length),
        open,
      })
      if (open) add(node.id, level + 1)
    }
    const rest = restOf(status, nodes.length === 0 && parent !== 0)
    if (rest) lines.push({ key: `rest-${parent}`, parent, level, status: rest })
  }
  add(0, 1)
  return lines
}

function restOf(status: BranchStatus, isEmpty: boolean): RestLine['status'] | undefined {
  if (status !== 'finished') return status
  return isEmpty ? 'empty' : undefined
}

/** `isFar`: Ctrl is held, so Home and End lead through all lines. */
type KeyPress = { place: number; column: number; columns: number; key: string; isFar: boolean }

/** The line and column that a key leads to from the line at `place`. */
export function stepFrom(
  lines: readonly TreeLine[],
  { place, column, columns, key, isFar }: KeyPress,
): { line: TreeLine | undefined; column: number } | undefined {
  const at = (index: number) => lines[Math.max(0, Math.min(lines.length - 1, index))]
  switch (key) {
    case 'ArrowDown':
      return { line: at(place + 1), column }
    case 'ArrowUp':
      return { line: at(place - 1), column }
    case 'PageDown':
      return { line: at(place + linesPerPage), column }
    case 'PageUp':
      return { line: at(place - linesPerPage), column }
    case 'Home':
      return isFar ? { line: at(0), column } : { line: at(place), column: 0 }
    case 'End':
      return isFar ? { line: at(lines.length - 1), column } : { line: at(place), column: columns - 1 }
    case 'ArrowRight':
      return column < columns - 1 ? { line: at(place), column: column + 1 } : undefined
    case 'ArrowLeft':
      return column > 0 ? { line: at(place), column: column - 1 } : { line: parentLine(lines, place), column }
    default:
      return undefined
  }
}

const linesPerPage = 10

function parentLine(lines: readonly TreeLine[], place: number): TreeLine | undefined {
  const level = lines[place]?.level ?? 1
  return lines.slice(0, place).findLast((line) => line.level === level - 1)
}
