/** The access token or OAuth token that started an unconfirmed change. The automatic undo has only the privileges of this token. */
export const statements = (): string[] => [
  'alter table unconfirmed_changes add column access_token_id bigint',
  'alter table unconfirmed_changes add column oauth_token_id bigint',
]
