export const forms = {
  saving: 'Saving',
  decideFirst: 'First decide which version to keep.',
  leave: {
    title: 'Leave without saving?',
    text: 'Your changes here are not saved and will be lost.',
    leave: 'Leave',
    stay: 'Stay',
  },
  confirm: {
    first: 'Type {text} first',
    typeThis: 'To confirm, type <text></text>',
    busy: 'Deleting',
    notYet: 'It cannot be deleted yet',
  },
  conflict: {
    title: 'Changed by somebody else',
    about:
      'Somebody else saved a change while you were editing. Your input is still here. The saved version is:',
    takeTheirs: 'Use the saved version',
    keepMine: 'Save mine over it',
  },
  reasons: {
    needs: 'You need the privilege “{privilege}” ({name}) for this.',
  },
  faults: {
    length: 'Enter {min, number} to {max, number} characters.',
    tooLong: 'Enter {max, number} characters at most.',
    characters: 'Control characters cannot be used here.',
  },
} as const
