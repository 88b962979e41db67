import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * The names that directories have for users and roles (lib/people/external-ids), the requests that SCIM refused, and when a token was last
 * used for SCIM. No references: the rooms that delete a user or a role remove its rows. The schema lets mail addresses be ASCII alone, so
 * `lower` is the same on both engines.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table external_names (
    owner_id bigint not null,
    kind ${key} not null,
    resource_id bigint not null,
    external_id ${key},
    display_name text,
    display_key ${key},
    primary key (owner_id, kind, resource_id),
    constraint external_names_id_key unique (owner_id, kind, external_id)
  )`,
  'create index external_names_resource on external_names (kind, resource_id)',
  'create index external_names_display on external_names (owner_id, kind, display_key)',
  `create table scim_refusals (
    id ${id},
    refused_at bigint not null,
    user_id bigint not null,
    token_id bigint,
    method text not null,
    route text not null,
    status integer not null,
    code text not null,
    message text not null
  )`,
  'create index scim_refusals_user on scim_refusals (user_id)',
  'create index users_email on users (lower(email))',
  'alter table access_tokens add column scim_used bigint',
  'create index access_tokens_scim on access_tokens (scim_used) where scim_used is not null',
]
