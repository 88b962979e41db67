/** The oldest schema version whose programs may go on writing after the migration (schema.server.ts). */
export const statements = (): string[] => ['alter table migrations add column oldest integer']
