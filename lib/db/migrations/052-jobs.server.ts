import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Jobs. The columns of their place have the names that they have in events, whose visibility they share. `job_steps`: the rows of one
 * transaction, and once it has committed the rows that it changed and its moment. `job_claims` is apart, so that the renewal of a claim does
 * not conflict with the job's own transaction.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table jobs (
    id ${id},
    user_id bigint not null,
    user_nick ${key} not null,
    enterprise_id bigint not null,
    access_token_id bigint,
    oauth_token_id bigint,
    operation ${key} not null,
    path text not null,
    document text,
    request_id text not null,
    ip text not null,
    entity_type ${key} not null,
    entity_id bigint,
    about_enterprise_id bigint,
    was_enterprise_id bigint,
    about_datacenter_id bigint,
    about_scope_id bigint,
    state ${key} not null,
    step bigint not null,
    steps bigint,
    total bigint,
    done bigint not null,
    changed bigint not null,
    unchanged bigint not null,
    refused bigint not null,
    refusals text not null,
    event text,
    event_id bigint,
    code ${key},
    message text,
    created_at bigint not null,
    began_at bigint,
    ended_at bigint
  )`,
  'create index jobs_by_state on jobs (state, id)',
  'create index jobs_by_user on jobs (user_id, id)',
  'create index jobs_ended on jobs (ended_at)',
  `create table job_steps (
    job_id bigint not null references jobs (id) on delete cascade,
    number bigint not null,
    ids text not null,
    moment bigint,
    primary key (job_id, number)
  )`,
  `create table job_claims (
    job_id bigint primary key references jobs (id) on delete cascade,
    owner ${key} not null,
    until bigint not null
  )`,
]
