export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent)

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'))

/** A dialog keeps what is behind it from being used. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"]')].some((dialog) => dialog.checkVisibility())

type Told = { onHold: () => void; onPalette: () => void; onQuestion: () => void }

/**
 * Ctrl-K, on a Mac Cmd-K, asks for the palette, and its first key alone already announces it; `?` asks for the list of keys,
 * unless it is typed into something.
 */
export function hearKeys({ onHold, onPalette, onQuestion }: Told): () => void {
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
