import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { nextByPrefix } from '#components/base/screens/text-match'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { isNode, type NodeLine, stepFrom, type TreeLine } from './tree-lines'

/** Moving a scope: picked up at its row, put down at the row of its new parent. */
export type Carrying = {
  canPickUp: (node: ScopeTreeNode) => boolean
  canPutDown: (node: ScopeTreeNode, onto: ScopeTreeNode) => boolean
  /** Announces the reason if the scope cannot move there. */
  move: (node: ScopeTreeNode, onto: ScopeTreeNode) => void
  onPickUp: (node: ScopeTreeNode) => void
  /** Only while a scope is picked up. */
  onPutDown: ((node: ScopeTreeNode) => void) | undefined
  onPutBack: () => void
}

type TreeKeys = {
  lines: readonly TreeLine[]
  columns: number
  onToggle: (id: number) => void
  /** The effect of Space and Enter on a name that is not a link. */
  onChoose: ((node: ScopeTreeNode) => void) | undefined
  /** The effect of Space on the name of a scope that is a link. */
  onOpen: ((node: ScopeTreeNode) => void) | undefined
  carrying: Carrying | undefined
}

const pauseBetweenLetters = 700

/**
 * The keys of a treegrid (WAI-ARIA). One cell is the tab stop, and the arrow keys move between cells. On a name, Right opens
 * the scope, Left closes it or goes to the parent. Letters go to the next scope whose name starts with them.
 */
export function useTreeKeys({ lines, columns, onToggle, onChoose, onOpen, carrying }: TreeKeys) {
  const typed = useRef({ text: '', at: 0 })
  const [place, setPlace] = useState({ key: '', column: 0 })
  const stop = lines.some(({ key }) => key === place.key) ? place : { key: lines[0]?.key ?? '', column: 0 }

  const onFocus = ({ target }: FocusEvent) => {
    const at = cellOf(target)
    if (at && (at.key !== place.key || at.column !== place.column)) setPlace(at)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = event.target instanceof Element ? cellOf(event.target) : undefined
    const index = lines.findIndex(({ key }) => key === at?.key)
    const line = lines[index]
    if (!at || !line || event.defaultPrevented) return
    // Any other key ends the typed word.
    if (!isLetter(event.key)) typed.current = { text: '', at: 0 }
    const grid = event.currentTarget
    const go = (to: TreeLine | undefined, column: number) => {
      if (!to) return
      const next = { key: to.key, column: isNode(to) ? column : 0 }
      flushSync(() => setPlace(next))
      focusPlace(grid, next)
    }
    const step = stepOf(event, index, at.column)
    const act =
      (isNode(line) && actionOf(event, line, at.column)) || (step && (() => go(step.line, step.column)))
    if (!act) return
    event.preventDefault()
    act()
  }

  function actionOf(event: KeyboardEvent, { node, open }: NodeLine, column: number) {
    const carry = carrying && carryingAct(event, node, carrying)
    if (carry || event.ctrlKey || event.altKey || event.metaKey) return carry
    const { key } = event
    if (column !== 0) return undefined
    if (key === (open ? 'ArrowLeft' : 'ArrowRight') && open !== undefined) return () => onToggle(node.id)
    if (onChoose && (key === ' ' || key === 'Enter')) return () => onChoose(node)
    if (onOpen && key === ' ') return () => onOpen(node)
    return undefined
  }

  /** Where an arrow, or a letter of a name, leads. */
  function stepOf(
    { key, ctrlKey, altKey, metaKey, timeStamp }: KeyboardEvent,
    place: number,
    column: number,
  ) {
    if (altKey || metaKey) return undefined
    const step = stepFrom(lines, { place, column, columns, key, isFar: ctrlKey })
    if (step) return step
    const text = `${timeStamp - typed.current.at < pauseBetweenLetters ? typed.current.text : ''}${key}`
    if (!isLetter(key) || ctrlKey || text.startsWith(' ')) return undefined
    typed.current = { text, at: timeStamp }
    const names = lines.map((line) => (isNode(line) ? line.node.name : ''))
    return { line: lines[nextByPrefix(names, place, text)], column: 0 }
  }

  return { stop, onFocus, onKeyDown }
}

/** `?` and `/` are shortcuts of the console. */
const isLetter = (key: string): boolean => [...key].length === 1 && key !== '?' && key !== '/'

/** The keys that move a scope: Ctrl-X and Ctrl-V as with files, Esc to put the scope back. */
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

/** The line and column of an element; undefined in a menu, which is rendered outside of the grid. */
function cellOf(element: Element): { key: string; column: number } | undefined {
  const cell = element.closest<HTMLElement>('[data-column]')
  const line = cell?.closest<HTMLElement>('[data-line]')
  return line ? { key: line.dataset.line ?? '', column: Number(cell?.dataset.column) } : undefined
}

function focusPlace(grid: HTMLElement, { key, column }: { key: string; column: number }) {
  const cell = grid.querySelector<HTMLElement>(`[data-line="${key}"] [data-column="${column}"]`)
  const target = cell?.querySelector<HTMLElement>('a, button:not([data-toggle])') ?? cell
  target?.focus()
}
