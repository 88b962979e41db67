import { type PointerEvent, useEffect, useRef } from 'react'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'

type TreeDrag = {
  nodeOf: (id: number) => ScopeTreeNode | undefined
  canDrag: (node: ScopeTreeNode) => boolean
  canDrop: (node: ScopeTreeNode, onto: ScopeTreeNode) => boolean
  onDrop: (node: ScopeTreeNode, onto: ScopeTreeNode) => void
  /** Called when the pointer rests on a scope. */
  onRest: (node: ScopeTreeNode) => void
}

/** Pixels that a pressed pointer moves before the row is dragged rather than clicked. */
const threshold = 6
/** Milliseconds on a closed scope until it opens. */
const rest = 700
/** Pixels at the edges of the window where dragging scrolls. */
const edge = 56

const rowAt = (x: number, y: number): HTMLElement | null | undefined =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-scope]')

/**
 * Moving a scope by mouse, pen or finger: it is dragged onto the row of its new parent. A mouse can start anywhere in the row, a finger
 * only at the grip, because elsewhere a finger scrolls. Attributes mark the rows, so a drag renders none of them.
 */
export function useTreeDrag({ nodeOf, canDrag, canDrop, onDrop, onRest }: TreeDrag) {
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])

  return (event: PointerEvent<HTMLElement>) => {
    const target = event.target instanceof Element ? event.target : undefined
    const source = target?.closest<HTMLElement>('[data-scope]')
    const node = nodeOf(Number(source?.dataset.scope))
    const grips = target?.closest('[data-grip]')
    if (!source || !node || event.button !== 0 || !event.isPrimary || !canDrag(node)) return
    if (!grips && (event.pointerType !== 'mouse' || target?.closest('button'))) return
    const from = { x: event.clientX, y: event.clientY }
    const gesture = new AbortController()
    const { signal } = gesture
    let onto: HTMLElement | undefined
    let label: HTMLElement | undefined
    let resting: ReturnType<typeof setTimeout> | undefined

    const mark = (row: HTMLElement | undefined, isAllowed: boolean) => {
      if (row === onto) return
      delete onto?.dataset.drop
      clearTimeout(resting)
      onto = row
      if (!row) return
      row.dataset.drop = isAllowed ? 'allowed' : 'refused'
      const below = nodeOf(Number(row.dataset.scope))
      if (below) resting = setTimeout(() => onRest(below), rest)
    }
    const begin = () => {
      label = Object.assign(document.createElement('div'), { textContent: node.name })
      label.dataset.dragged = ''
      source.closest('table')?.after(label)
      source.dataset.dragging = ''
      getSelection()?.removeAllRanges()
    }
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      if (!label && Math.hypot(x - from.x, y - from.y) < threshold) return
      if (!label) begin()
      if (label) label.style.translate = `${x + 14}px ${y + 10}px`
      if (y < edge || y > innerHeight - edge) scrollBy({ top: y < edge ? -24 : 24 })
      const row = rowAt(x, y) ?? undefined
      const over = nodeOf(Number(row?.dataset.scope))
      mark(over && over.id !== node.id ? row : undefined, over !== undefined && canDrop(node, over))
    }
    const finish = () => {
      gesture.abort()
      clearTimeout(resting)
      delete onto?.dataset.drop
      delete source.dataset.dragging
      label?.remove()
      end.current = undefined
    }
    const drop = () => {
      const parent = nodeOf(Number(onto?.dataset.scope))
      const dragged = label !== undefined
      finish()
      // The release of a dragged row is not a click on the row below it.
      if (dragged) addEventListener('click', stop, { capture: true, once: true })
      if (dragged) setTimeout(() => removeEventListener('click', stop, { capture: true }))
      if (dragged && parent) onDrop(node, parent)
    }
    end.current = finish
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', drop, { signal })
    addEventListener('pointercancel', finish, { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && finish(), { signal })
  }
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
