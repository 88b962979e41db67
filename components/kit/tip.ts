import styles from './tool.module.css'

/*
 * The one tooltip of the page, outside of React: each of React Aria's took part in every rendering of its button, fourteen of them in a turn
 * of a table (docs/performance.md). WCAG 2.2, 1.4.13: Escape hides it, and it stays while the pointer is on it.
 */

const openDelay = 400
const closeDelay = 120
const gap = 6
const edge = 4

let tip: HTMLElement | undefined
let anchor: Element | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const later = (after: number, run: () => void) => {
  clearTimeout(timer)
  timer = setTimeout(run, after)
}

export function hideTip(): void {
  clearTimeout(timer)
  tip?.remove()
  anchor = undefined
}

function create(): HTMLElement {
  const made = document.createElement('div')
  made.className = styles.tip ?? ''
  made.role = 'tooltip'
  made.popover = 'manual'
  made.addEventListener('pointerenter', () => clearTimeout(timer))
  made.addEventListener('pointerleave', () => later(closeDelay, hideTip))
  document.addEventListener('keydown', hideTip, true)
  document.addEventListener('pointerdown', hideTip, true)
  document.addEventListener('scroll', hideTip, true)
  return made
}

function show(at: Element, text: string): void {
  if (!at.isConnected) return
  tip ??= create()
  anchor = at
  tip.textContent = text
  // Beside the button: an open dialog hides the rest of the page from screen readers.
  ;(at.closest('[role=dialog], [role=alertdialog]') ?? document.body).append(tip)
  tip.showPopover()
  const button = at.getBoundingClientRect()
  const own = tip.getBoundingClientRect()
  const left = button.left + (button.width - own.width) / 2
  const above = button.top - own.height - gap
  tip.style.left = `${Math.max(edge, Math.min(left, innerWidth - own.width - edge))}px`
  tip.style.top = `${above < edge ? button.bottom + gap : above}px`
}

/** The handlers of an element with a tooltip: shown after a rest of the pointer, or at once when Tab comes to it. */
export const tipOf = (text: string) => ({
  onPointerEnter: ({ currentTarget, pointerType }: { currentTarget: Element; pointerType: string }) => {
    // A finger has no rest, and a tooltip that is open moves on without one.
    if (pointerType !== 'touch') later(anchor ? 0 : openDelay, () => show(currentTarget, text))
  },
  onPointerLeave: () => later(closeDelay, hideTip),
  onFocus: ({ currentTarget }: { currentTarget: Element }) => {
    if (currentTarget.matches(':focus-visible')) show(currentTarget, text)
  },
  onBlur: hideTip,
})
