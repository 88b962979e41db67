export const forms = {
  saving: 'Saving',
  decideFirst: 'Decide first whose version stays.',
  leave: {
    title: 'Leave without saving?',
    text: 'What you changed here is not saved and will be lost.',
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
      'Somebody else saved a change while you were editing. What you typed is still here. This is saved now:',
    takeTheirs: 'Take theirs',
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
