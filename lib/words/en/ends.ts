export const ends = {
  label: 'Ends',
  hint: 'In your time zone, {zone}. Leave it empty for no end.',
  time: 'Time of the end',
  never: 'Never',
  in: 'Ends {time}',
  wrong: 'This is no moment. Choose a day and a time, or leave both empty.',
  before: 'Ends before',
  within: '{days, plural, =1 {within a day} other {within # days}}',
} as const
