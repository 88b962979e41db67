/** When a session of the console last proved who is signed in. */
export const statements = (): string[] => ['alter table sessions add column proved_at bigint']
