export const ends = {
  label: 'Ends',
  hint: 'In your time zone, {zone}. Leave it empty for no end.',
  time: 'Time of the end',
  never: 'Never',
  in: 'Ends {time}',
  overdue: 'Was to end {time}',
  refused:
    'It did not end, because the user who set the end may no longer do that. End it yourself, or set a new end.',
  wrong: 'This is no moment. Choose a day and a time, or leave both empty.',
  attachedUntil: 'Released by itself',
  disabledAt: 'Disabled by itself',
  set: 'End of {name}',
  setDone: 'The end of {name} is saved.',
  more: '{count, plural, =1 {# more ends} other {# more end}} within two weeks',
  lists: { user: 'users', natip: 'NAT IPs', natrule: 'NAT rules' },
  before: 'Ends before',
  within: '{days, plural, =1 {within a day} other {within # days}}',
} as const
