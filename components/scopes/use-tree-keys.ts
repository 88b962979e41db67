import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import { nextByPrefix } from './text-match'
import { isNode, stepFrom, type TreeLine } from './tree-lines'

/** To move scopes by the keyboard: one is picked up at its row and put down at that of its new parent. */
export type Carrying = {
  canPickUp: (node: ScopeTreeNode) => boolean
  onPickUp: (node: ScopeTreeNode) => void
  /** Only while something is carried. */
  onPutDown: ((node: ScopeTreeNode) => void) | undefined
  onPutBack: () => void
}

type TreeKeys = {
  lines: readonly TreeLine[]
  columns: number
  onToggle: (id: number) => void
  /** What Space and Enter do on a name that is no link. */
  onChoose: ((node: ScopeTreeNode) => void) | undefined
  carrying: Carrying | undefined
}

const pauseBetweenLetters = 700

/**
 * The keys of a treegrid (WAI-ARIA): one cell is the stop of Tab, the arrows lead from cell to cell, on a name the right one
 * opens, the left one closes or goes to the parent; letters go to the next scope of that name.
 */
export function useTreeKeys({ lines, columns, onToggle, onChoose, carrying }: TreeKeys) {
  const typed = useRef({ text: '', at: 0 })
  const [place, setPlace] = useState({ key: '', column: 0 })
  const stop = lines.some(({ key }) => key === place.key) ? place : { key: lines[0]?.key ?? '', column: 0 }

  const onFocus = ({ target }: FocusEvent) => {
    const at = placeOf(target)
    if (at && (at.key !== place.key || at.column !== place.column)) setPlace(at)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = event.target instanceof Element ? placeOf(event.target) : undefined
    const index = lines.findIndex(({ key }) => key === at?.key)
    const line = lines[index]
    if (!at || !line || event.defaultPrevented) return
    // A key that is no letter ends the word that is typed.
    if (!isLetter(event.key)) typed.current = { text: '', at: 0 }
    const grid = event.currentTarget
    const go = (to: TreeLine | undefined, column: number) => {
      if (!to) return
      const next = { key: to.key, column: isNode(to) ? column : 0 }
      flushSync(() => setPlace(next))
      focusPlace(grid, next)
    }
    const act =
      (isNode(line) && actionOf(event, line.node, line.open, at.column)) ||
      moveOf(event, index, at.column, go)
    if (!act) return
    event.preventDefault()
    act()
  }

  function actionOf(event: KeyboardEvent, node: ScopeTreeNode, open: boolean | undefined, column: number) {
    const carry = carrying && carryingAct(event, node, carrying)
    if (carry || event.ctrlKey || event.altKey || event.metaKey) return carry
    const { key } = event
    if (column !== 0) return undefined
    if (key === (open ? 'ArrowLeft' : 'ArrowRight') && open !== undefined) return () => onToggle(node.id)
    if (onChoose && (key === ' ' || key === 'Enter')) return () => onChoose(node)
    return undefined
  }

  function moveOf(
    event: KeyboardEvent,
    index: number,
    column: number,
    go: (to: TreeLine | undefined, column: number) => void,
  ) {
    const { key, ctrlKey, altKey, metaKey } = event
    if (altKey || metaKey) return undefined
    const step = stepFrom(lines, index, column, columns, key, ctrlKey)
    if (step) return () => go(step.line, step.column)
    const text = `${event.timeStamp - typed.current.at < pauseBetweenLetters ? typed.current.text : ''}${key}`
    if (!isLetter(key) || ctrlKey || text.startsWith(' ')) return undefined
    typed.current = { text, at: event.timeStamp }
    const names = lines.map((line) => (isNode(line) ? line.node.name : ''))
    return () => go(lines[nextByPrefix(names, index, text)], 0)
  }

  return { stop, onFocus, onKeyDown }
}

const isLetter = (key: string): boolean => [...key].length === 1

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

/** The line and the column of an element, unless it stands in a menu that is drawn elsewhere. */
function placeOf(element: Element): { key: string; column: number } | undefined {
  const cell = element.closest<HTMLElement>('[data-column]')
  const line = cell?.closest<HTMLElement>('[data-line]')
  return line ? { key: line.dataset.line ?? '', column: Number(cell?.dataset.column) } : undefined
}

function focusPlace(grid: HTMLElement, { key, column }: { key: string; column: number }) {
  const cell = grid.querySelector<HTMLElement>(`[data-line="${key}"] [data-column="${column}"]`)
  const target = cell?.querySelector<HTMLElement>('a, button:not([data-toggle])') ?? cell
  target?.focus()
}
