/** An index of the users of a role. `enterprise_id` makes it covering when the visible users of a role are counted. */
export const statements = (): string[] => [
  'drop index users_role',
  'create index users_role on users (role_id, enterprise_id)',
]
