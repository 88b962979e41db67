/* Apart from the palette, the list of keys and the tray of jobs, which are loaded when they first open. */

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

/** Opens the palette. `onOpenPalette` returns the function that ends the listening. */
export const [openPalette, onOpenPalette] = channel()

/** Opens the tray of jobs. */
export const [openJobs, onOpenJobs] = channel()

/** Opens the dialog that lists the keys of the console. */
export const [openKeys, onOpenKeys] = channel()
