import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'

/* Properties that stay identical between renderings, for components that are expensive to render. */

/** The object of the rendering before, as long as both are equal as JSON. */
export function useSame<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  return useMemo(() => JSON.parse(text) as Value, [text])
}

/** One function for the life of the component, which calls the handler of the last rendering. */
export function useSameHandler<Event>(handler: (event: Event) => void): (event: Event) => void {
  const last = useRef(handler)
  useLayoutEffect(() => {
    last.current = handler
  })
  return useCallback((event) => last.current(event), [])
}
