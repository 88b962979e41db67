export const ends = {
  label: 'Ends',
  hint: 'In your time zone, {zone}. Leave it empty for no end.',
  time: 'Time of the end',
  never: 'Never',
  in: 'Ends {time}',
  wrong: 'This is no moment. Choose a day and a time, or leave both empty.',
  attachedUntil: 'Released by itself (optional)',
  set: 'End of {name}',
  setDone: 'The end of {name} is saved.',
  more: '{count, plural, =1 {# more ends} other {# more end}} within two weeks',
  before: 'Ends before',
  within: '{days, plural, =1 {within a day} other {within # days}}',
} as const
