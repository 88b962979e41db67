export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent)

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'))

/** A dialog blocks the page behind it. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"]')].some((dialog) => dialog.checkVisibility())

type Listeners = { onHold: () => void; onPalette: () => void; onQuestion: () => void }

/**
 * Listens for Ctrl-K (Cmd-K on a Mac), which opens the palette, and for `?` outside of fields, which opens the list of keys.
 * `onHold` is called as soon as Ctrl or Cmd is down.
 */
export function hearKeys({ onHold, onPalette, onQuestion }: Listeners): () => void {
  const hear = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    if (event.defaultPrevented || altKey || event.isComposing) return
    if (key === (isMac() ? 'Meta' : 'Control')) onHold()
    const isHeld = isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey
    if (isHeld && !shiftKey && key.toLowerCase() === 'k') {
      event.preventDefault()
      if (!isDialogOpen()) onPalette()
    } else if (key === '?' && !ctrlKey && !metaKey && !takesText(event.target) && !isDialogOpen()) {
      onQuestion()
    }
  }
  window.addEventListener('keydown', hear)
  return () => window.removeEventListener('keydown', hear)
}
