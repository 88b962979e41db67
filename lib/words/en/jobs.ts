export const jobs = {
  title: 'Jobs',
  running: '{count, plural, =1 {One job is running} other {# jobs are running}}',
  none: 'Changes of many rows, imports and undos appear here, for seven days.',
  operations: {
    'natip-update': '{count, plural, =0 {Change NAT IPs} =1 {Change one NAT IP} other {Change # NAT IPs}}',
    'natip-delete': '{count, plural, =0 {Delete NAT IPs} =1 {Delete one NAT IP} other {Delete # NAT IPs}}',
    'natip-attach': '{count, plural, =0 {Attach NAT IPs} =1 {Attach one NAT IP} other {Attach # NAT IPs}}',
    'natip-release':
      '{count, plural, =0 {Release NAT IPs} =1 {Release one NAT IP} other {Release # NAT IPs}}',
    'natrule-update':
      '{count, plural, =0 {Change NAT rules} =1 {Change one NAT rule} other {Change # NAT rules}}',
    'natrule-delete':
      '{count, plural, =0 {Delete NAT rules} =1 {Delete one NAT rule} other {Delete # NAT rules}}',
    'user-update': '{count, plural, =0 {Change users} =1 {Change one user} other {Change # users}}',
    'user-delete': '{count, plural, =0 {Delete users} =1 {Delete one user} other {Delete # users}}',
    'plan-apply': 'Apply an import',
    'event-undo': 'Undo a change',
  },
  states: { waiting: 'Waiting', running: 'Running', done: 'Done', stopped: 'Stopped', failed: 'Failed' },
  progress: '{done, number} of {total, number}',
  rows: '{done, plural, =0 {No row} =1 {# row} other {# rows}}',
  refused: '{count, plural, =1 {# refused} other {# refused}}',
  stop: 'Stop',
  stopped: 'The job is stopped. What it did by then stays.',
  notStopped: 'The job could not be stopped.',
  undoing: 'The change is being undone.',
  notUndone: 'The change could not be undone.',
  event: 'Event',
} as const
