import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Findings of the NAT check that are set aside until a day. `enterprise_id` is that of a finding that only its readers see. `subject_id`,
 * `other_id` and `third_id` are what the finding is about, and `mark` how it was: a finding with another mark is another one. No
 * references, so that a deleted resource that is restored has its findings set aside again.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table nat_setasides (
    id ${id},
    datacenter_id bigint not null,
    enterprise_id bigint,
    code ${key} not null,
    subject_id bigint not null,
    other_id bigint not null,
    third_id bigint not null,
    mark text not null,
    name text not null,
    reason text not null,
    until_day ${key} not null,
    set_by bigint not null
  )`,
  'create index nat_setasides_finding on nat_setasides (subject_id, code, other_id, third_id)',
  'create index nat_setasides_order on nat_setasides (datacenter_id, id)',
  'create index nat_setasides_until on nat_setasides (until_day)',
]
