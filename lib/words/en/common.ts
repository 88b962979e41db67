/** Words that many screens use. */
export const common = {
  loading: 'Loading…',
  none: '–',
  save: 'Save',
  edit: 'Edit',
  delete: 'Delete',
  cancel: 'Cancel',
  close: 'Close',
  back: 'Back',
  undo: 'Undo',
  undone: 'Undone:',
  notUndone: 'This could not be undone',
  open: 'Open',
  next: 'Next',
  copy: 'Copy',
  noCopy: 'Your browser does not allow copying here. Select the text and copy it by hand.',
  copied: 'Copied',
  tryAgain: 'Try again',
  optional: 'optional',
  requestId: 'Request id',
  errorIcon: 'Error',
  infoIcon: 'Info',
  successIcon: 'Success',
  warningIcon: 'Warning',
  home: 'Go to home',
  notLoaded: {
    title: 'This part of the console could not be loaded',
    text: 'The server cannot be reached, or it has a new version of the console. What you typed is still here. Try again. If that does not help, finish your work here, then load the page again.',
    offline:
      'Your device is not connected to a network. What you typed is still here. Connect it, then try again.',
  },
  showPassword: 'Show the password',
  timeLeft: {
    seconds: '{seconds, plural, =1 {# second} other {# seconds}}',
    minutes: '{time} minutes',
  },
  clock: {
    ahead:
      'The clock of your phone is about {minutes, plural, =1 {# minute} other {# minutes}} ahead. Set it to automatic, then try the next code.',
    behind:
      'The clock of your phone is about {minutes, plural, =1 {# minute} other {# minutes}} behind. Set it to automatic, then try the next code.',
  },
  failure: {
    unreachable: 'The server cannot be reached',
    ended: 'Your session has ended',
    forbidden: 'You may not do this',
    missing: 'Not found',
    changed: 'Changed by somebody else',
    tooMany: 'Too many attempts',
    saved: 'The first try was saved',
    refused: 'This could not be done',
    server: 'The server had a problem',
    unknown: 'Something went wrong',
  },
  /** The console's texts for failures without a response of the API. */
  ownFaults: {
    CONSOLE: 'The console itself failed. Reloading the page often helps.',
    NETWORK: 'No answer came. Check your connection and try again.',
    'IDEMPOTENCY-2':
      'It was saved as you sent it then, without your later changes. Look for it in the list and change it there. If you send this form again, it makes another one.',
    '401': 'Nothing was changed. Please try again.',
    '403': 'You may not do this.',
    '404': 'This does not exist, or you may not see it.',
    '412': 'This was changed by somebody else in the meantime.',
    '429': 'Too many attempts. Wait a moment and try again.',
    other: 'The server could not answer. Try again in a moment.',
  },
} as const
