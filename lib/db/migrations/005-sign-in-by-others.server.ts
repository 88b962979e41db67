import type { MigrationTypes } from '#lib/db/dialect.server'

/** OAuth applications and their tokens, and the state of sign-ins by OpenID Connect and SAML. */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table applications (
    id ${id},
    user_id bigint not null references users,
    name text not null,
    name_key ${key} not null,
    description text not null,
    api_key ${key} not null constraint applications_api_key unique,
    api_secret text not null,
    public_key text
  )`,
  'create index applications_user on applications (user_id, name_key, id)',
  `create table application_privileges (
    application_id bigint not null references applications,
    privilege text not null,
    primary key (application_id, privilege)
  )`,
  `create table oauth_tokens (
    id ${id},
    token ${key} not null constraint oauth_tokens_token_key unique,
    secret text not null,
    application_id bigint not null references applications,
    user_id bigint references users,
    callback text,
    verifier_hash text,
    created_at bigint not null,
    last_used bigint,
    expires_at bigint
  )`,
  'create index oauth_tokens_application on oauth_tokens (application_id)',
  'create index oauth_tokens_user on oauth_tokens (user_id, created_at, id)',
  'create index oauth_tokens_expiry on oauth_tokens (expires_at)',
  `create table oauth_nonces (
    nonce ${key} primary key,
    expires_at bigint not null
  )`,
  'create index oauth_nonces_expiry on oauth_nonces (expires_at)',
  `create table oauth_failures (
    id ${id},
    application_id bigint not null references applications,
    failed_at bigint not null,
    method text not null,
    base_string text not null,
    clock_offset bigint not null
  )`,
  'create index oauth_failures_application on oauth_failures (application_id, failed_at)',

  `create table sign_in_flows (
    id ${key} primary key,
    sealed text not null,
    expires_at bigint not null
  )`,
  'create index sign_in_flows_expiry on sign_in_flows (expires_at)',
  `create table session_providers (
    chain ${key} primary key,
    user_id bigint not null references users,
    provider text not null,
    subject ${key} not null,
    sealed text not null,
    expires_at bigint not null
  )`,
  'create index session_providers_subject on session_providers (provider, subject)',
  'create index session_providers_user on session_providers (user_id)',
  'create index session_providers_expiry on session_providers (expires_at)',
  `create table used_assertions (
    id ${key} primary key,
    expires_at bigint not null
  )`,
  'create index used_assertions_expiry on used_assertions (expires_at)',
]
