import { type KeyboardEvent, useRef } from 'react'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import { nextByPrefix } from './text-match'
import type { ScopeTree } from './use-scope-tree'

const pauseBetweenLetters = 700

/** To move scopes by the keyboard: one is picked up at its row and put down at that of its new parent. */
export type Carrying = {
  canPickUp: (node: ScopeTreeNode) => boolean
  onPickUp: (node: ScopeTreeNode) => void
  /** Only while something is carried. */
  onPutDown: ((node: ScopeTreeNode) => void) | undefined
  onPutBack: () => void
}

type TreeKeys = { leaveToTheLeft: boolean; carrying?: Carrying | undefined }

/**
 * What the table's own grid navigation lacks of the tree pattern (WAI-ARIA treegrid): on a row's name the right arrow opens,
 * the left arrow closes or goes to the parent, and letters go to the next row of that name. All other keys pass.
 */
export function useTreeKeys(tree: ScopeTree, { leaveToTheLeft, carrying }: TreeKeys) {
  const typed = useRef({ text: '', at: 0 })

  return (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof Element)) return
    const cell = event.target.closest('td, th')
    const place = tree.rows.findIndex(({ id }) => id === scopeOfCell(cell))
    const node = tree.rows[place]
    if (!node) return

    const take = (act: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    const go = (id: number | undefined) => focusRow(event.currentTarget, id)

    const carry = carrying && carryingAct(event, node, carrying)
    if (carry) return take(carry)
    // A key that is no letter ends the word that is typed.
    if ([...event.key].length !== 1) typed.current = { text: '', at: 0 }
    if (event.ctrlKey || event.altKey || event.metaKey) return

    const open = tree.isOpen(node.id)
    if (event.key === 'ArrowRight' && tree.canOpen(node) && !open) return take(() => tree.toggle(node.id))
    if (event.key === 'ArrowLeft' && open) return take(() => tree.toggle(node.id))
    const parent = tree.rows.find(({ id }) => id === node.parent)
    if (event.key === 'ArrowLeft' && parent && !leaveToTheLeft) return take(() => go(parent.id))

    const text = `${event.timeStamp - typed.current.at < pauseBetweenLetters ? typed.current.text : ''}${event.key}`
    if ([...event.key].length !== 1 || text.startsWith(' ')) return
    typed.current = { text, at: event.timeStamp }
    const names = tree.rows.map(({ name }) => name)
    take(() => go(tree.rows[nextByPrefix(names, place, text)]?.id))
  }
}

/** What a key means to what is carried: Ctrl-X and Ctrl-V as with files, Esc. */
function carryingAct(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  node: ScopeTreeNode,
  { canPickUp, onPickUp, onPutDown, onPutBack }: Carrying,
): (() => void) | undefined {
  if (key === 'Escape' && onPutDown) return onPutBack
  if (altKey || ctrlKey === metaKey) return undefined
  if (key === 'x' && canPickUp(node)) return () => onPickUp(node)
  return key === 'v' && onPutDown ? () => onPutDown(node) : undefined
}

const scopeOfCell = (cell: Element | null): number | undefined => {
  const id = cell?.querySelector('[data-scope]')?.getAttribute('data-scope')
  return id ? Number(id) : undefined
}

function focusRow(within: HTMLElement, id: number | undefined) {
  const cell = within.querySelector(`[data-scope="${id}"]`)?.closest<HTMLElement>('td, th')
  const control = cell?.querySelector<HTMLElement>('a') ?? cell?.querySelector<HTMLElement>('button')
  // A cell without a control can hold the focus only with a tab index; the table takes it over from there.
  if (cell && !control) cell.tabIndex = -1
  const target = control ?? cell
  target?.focus()
}
