/** The space of plans is bounded for users and enterprises. */
export const statements = (): string[] => [
  'alter table plans add column bytes bigint not null default 0',
  'create index plans_by_user on plans (user_id)',
]
