/** The access token or OAuth token by which a change began that goes back. It limits what goes back. */
export const statements = (): string[] => [
  'alter table unconfirmed_changes add column access_token_id bigint',
  'alter table unconfirmed_changes add column oauth_token_id bigint',
]
