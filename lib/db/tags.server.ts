import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '#lib/db/fold'

/* The index of the tags of all resources, which triggers keep (migrations/065-notes.server.ts). The journal has its past. */

/** The resources of a table with a tag are together in the index. */
const labelOf = (table: string, tag: string): string => `${table} ${fold(tag)}`

/** Whether the row of a table, named by its id (`users.id`), has all of these tags. */
export const hasTags = (id: string, tags: readonly string[] = []): RawBuilder<SqlBool> =>
  tags.length === 0
    ? sql`1 = 1`
    : sql.join(
        tags.map(
          (tag) =>
            sql<SqlBool>`${sql.ref(id)} in (select resource_id from tags where label = ${labelOf(id.slice(0, id.indexOf('.')), tag)})`,
        ),
        sql` and `,
      )
