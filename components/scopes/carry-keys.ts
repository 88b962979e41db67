/** The keys that pick a scope up and put it down, as they are called on this machine. */
export const carryKeys = () =>
  /Mac|iP(hone|ad)/.test(navigator.userAgent)
    ? { pickUp: '⌘X', putDown: '⌘V' }
    : { pickUp: 'Ctrl+X', putDown: 'Ctrl+V' }
