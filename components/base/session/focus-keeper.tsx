import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Restores the focus after the sign-in in place hid the screens. A layout effect runs before the screens are hidden, and the focused
 * element with them.
 */
export function FocusKeeper() {
  const left = useRef<Element>(null)
  useLayoutEffect(
    () => () => {
      left.current = document.activeElement
    },
    [],
  )
  useEffect(() => {
    if (left.current instanceof HTMLElement) left.current.focus()
  }, [])
  return null
}
