import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Returns the focus to where it was when the sign-in in place hid the screens. A layout effect ends before the screens are hidden, and
 * with them the element that has the focus.
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
