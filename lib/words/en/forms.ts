export const forms = {
  saving: 'Saving',
  decideFirst: 'First choose theirs or mine for each field.',
  shownOnce: 'It is shown this once only: copy it now.',
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
      'Somebody else saved a change while you were editing. Choose what to save, field by field, or go on typing. Then save.',
    same: 'Somebody else saved the same change while you were editing. Save to go on.',
    before: 'Before',
    theirs: 'Theirs',
    mine: 'Mine',
    both: 'Both changes',
    allTheirs: 'All theirs',
    allMine: 'All mine',
    choose: '{field}: {whose}',
    members: '{count, plural, =0 {None} one {# entry} other {# entries}}',
    unchanged: 'Unchanged',
  },
  inPlace: {
    enterprise: {
      create: 'Create an enterprise',
      about: 'Its users get your own scope, {scope}, unless they have another. Its page changes that later.',
      created: 'The enterprise {name} is created.',
    },
    role: {
      create: 'Create a role',
      like: 'Privileges of',
      likeWhat:
        'The new role gets the privileges of this one that you hold yourself. Its page changes them later.',
      likeMissing: 'Choose a role.',
      created: 'The role {name} is created.',
    },
    scope: {
      create: 'Create a scope',
      about: 'It contains the enterprise {enterprise} and no datacenters. Its page adds more later.',
      created: 'The scope {name} is created.',
    },
    datacenter: 'Create a datacenter',
    device: 'Create a device',
    network: 'Create a NAT network',
    center: 'Create a virtual datacenter',
    appliance: 'Create a virtual appliance',
    machine: 'Register a virtual machine',
    natIp: 'Attach a NAT IP',
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
