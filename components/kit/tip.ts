import styles from './tool.module.css'

/*
 * The one tooltip of the page, outside of React: each of React Aria's took part in every rendering of its button, fourteen of them in a turn
 * of a table (docs/performance.md). WCAG 2.2, 1.4.13: Escape hides it, and it stays while the pointer is over it. Presses go through it.
 */

const openDelay = 400
const closeDelay = 120
const gap = 6
const edge = 4

let tip: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined
/** Stops what watches while the tooltip is open. */
let watch: AbortController | undefined

const later = (after: number, run: () => void) => {
  clearTimeout(timer)
  timer = setTimeout(run, after)
}

function hideTip(): void {
  clearTimeout(timer)
  watch?.abort()
  watch = undefined
  tip?.remove()
}

function create(): HTMLElement {
  const made = document.createElement('div')
  made.className = styles.tip ?? ''
  made.role = 'tooltip'
  made.popover = 'manual'
  return made
}

function place(own: HTMLElement, at: Element): void {
  const button = at.getBoundingClientRect()
  const { width, height } = own.getBoundingClientRect()
  const left = button.left + (button.width - width) / 2
  const above = button.top - height - gap
  own.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`
  own.style.top = `${above < edge ? button.bottom + gap : above}px`
}

function show(at: Element, text: string): void {
  hideTip()
  if (!at.isConnected) return
  tip ??= create()
  const shown = tip
  shown.textContent = text
  // Beside the button: an open dialog hides the rest of the page from screen readers.
  ;(at.closest('[role=dialog], [role=alertdialog]') ?? document.body).append(shown)
  shown.showPopover()
  place(shown, at)
  watch = new AbortController()
  const { signal } = watch
  for (const kind of ['keydown', 'pointerdown', 'scroll'])
    document.addEventListener(kind, hideTip, { signal, capture: true })
  const area = shown.getBoundingClientRect()
  let isOver = true
  document.addEventListener(
    'pointermove',
    ({ clientX: x, clientY: y, target }) => {
      const wasOver = isOver
      isOver =
        at.contains(target as Node) ||
        (x >= area.left && x <= area.right && y >= area.top - gap && y <= area.bottom + gap)
      if (isOver) clearTimeout(timer)
      else if (wasOver) later(closeDelay, hideTip)
    },
    { signal },
  )
}

/** The handlers of an element with a tooltip: shown after a rest of the pointer, or at once when Tab comes to it. */
export const tipOf = (text: string) => ({
  onPointerEnter: ({ currentTarget, pointerType }: { currentTarget: Element; pointerType: string }) => {
    // A finger has no rest. A tooltip that is open moves on without one.
    if (pointerType !== 'touch') later(watch ? 0 : openDelay, () => show(currentTarget, text))
  },
  onPointerLeave: () => {
    if (!watch) clearTimeout(timer)
  },
  onFocus: ({ currentTarget }: { currentTarget: Element }) => {
    if (currentTarget.matches(':focus-visible')) show(currentTarget, text)
  },
  onBlur: hideTip,
})
