/* Whoever opens the palette or the list of keys needs nothing of them: both are fetched when they first open. */

function channel(): [tell: () => void, hear: (listener: () => void) => () => void] {
  const target = new EventTarget()
  return [
    () => void target.dispatchEvent(new Event('open')),
    (listener) => {
      target.addEventListener('open', listener)
      return () => target.removeEventListener('open', listener)
    },
  ]
}

/** Opens the palette, the way to every screen, action and object; `onOpenPalette` gives back what stops listening. */
export const [openPalette, onOpenPalette] = channel()

/** Opens the dialog that lists the keys of the console. */
export const [openKeys, onOpenKeys] = channel()
