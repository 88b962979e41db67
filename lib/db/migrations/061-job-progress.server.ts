/** How far a job of one transaction is, for other processes: its own row is part of that transaction. */
export const statements = (): string[] => [
  'alter table job_claims add column done bigint',
  'alter table job_claims add column total bigint',
]
