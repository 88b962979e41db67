/** The time when the user last proved their identity in a console session. */
export const statements = (): string[] => ['alter table sessions add column proved_at bigint']
