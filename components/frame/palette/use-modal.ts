import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

const focusable = 'input, a[href], button:not(:disabled):not([tabindex="-1"])'

/** Keeps the focus in the dialog, closes the dialog on Esc, and returns the focus afterwards. */
export function useModal(onClose: () => void): RefObject<HTMLDivElement | null> {
  const dialog = useRef<HTMLDivElement>(null)

  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Tab') keepInside(event, dialog.current)
  })
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    const onKey = (event: KeyboardEvent) => hear(event)
    element?.addEventListener('keydown', onKey)
    element?.querySelector<HTMLElement>(focusable)?.focus()
    return () => {
      element?.removeEventListener('keydown', onKey)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return dialog
}

function keepInside(event: KeyboardEvent, dialog: HTMLElement | null): void {
  const stops = [...(dialog?.querySelectorAll<HTMLElement>(focusable) ?? [])]
  const [edge, other] = event.shiftKey ? [stops.at(0), stops.at(-1)] : [stops.at(-1), stops.at(0)]
  if (document.activeElement !== edge) return
  event.preventDefault()
  other?.focus()
}
