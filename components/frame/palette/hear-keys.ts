import { areKeysHeld } from '#components/kit/held-keys'

export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Whether letters mean something of their own here: in a field, a menu, a list of options or a button that opens one. */
const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (target.matches('input, textarea, select') && !target.matches('[type=checkbox], [type=radio]')) ||
    target.closest(
      '[role="textbox"], [role="combobox"], [role="menu"], [role="listbox"], [aria-haspopup="listbox"]',
    ) !== null)

const blocking = '[role="dialog"], [role="alertdialog"]:not([aria-modal="false"])'

/** A dialog blocks the page behind it. A message in the corner is an alert dialog too, but not modal. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll(blocking)].some((dialog) => dialog.checkVisibility())

/** Held down, these go on through the rows. Any other shortcut acts once. */
const repeats = new Set(['j', 'k'])

/** Between the two keys of a sequence, in milliseconds. */
const longestPause = 1500

type Listeners = {
  onPalette: () => void
  /** A key without Ctrl, outside of fields and dialogs; after `g` both, as in `g s`. Returns whether it means something. */
  onKeys: (keys: string) => boolean
}

/** Listens for Ctrl-K (Cmd-K on a Mac) and for shortcuts of one or two letters. */
export function hearKeys({ onPalette, onKeys }: Listeners): () => void {
  let begun = Number.NEGATIVE_INFINITY
  const hearLetter = (event: KeyboardEvent) => {
    const { key, timeStamp, target, repeat } = event
    if (key.length > 1 || (repeat && !repeats.has(key)) || takesLetters(target)) return
    if (isDialogOpen() || areKeysHeld()) {
      begun = Number.NEGATIVE_INFINITY
      return
    }
    const isSecond = timeStamp - begun < longestPause
    begun = key === 'g' && !isSecond ? timeStamp : Number.NEGATIVE_INFINITY
    if (onKeys(isSecond ? `g ${key}` : key)) event.preventDefault()
  }
  const hear = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    if (event.defaultPrevented || altKey || event.isComposing) return
    const isHeld = isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey
    if (isHeld && !shiftKey && key.toLowerCase() === 'k') {
      event.preventDefault()
      if (!isDialogOpen()) onPalette()
    } else if (!ctrlKey && !metaKey) hearLetter(event)
  }
  window.addEventListener('keydown', hear)
  return () => window.removeEventListener('keydown', hear)
}
