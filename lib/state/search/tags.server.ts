import { type RawBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import type { Kind } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesKind, type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import { seesNotes } from '#lib/cloud/nat/ip-notes.server'
import type { Db } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import type { Listing } from '#lib/ground/http/render.server'
import type { TagDocument, TagsQuery } from '#lib/state/search/tags.schema'

/** The kinds of resources that have tags. */
const tagged: readonly Kind[] = [
  kinds.scope,
  kinds.enterprise,
  kinds.role,
  kinds.user,
  kinds.datacenter,
  kinds.device,
  kinds.virtualmachinetemplate,
  kinds.virtualdatacenter,
  kinds.virtualappliance,
  kinds.virtualmachine,
  kinds.natnetwork,
  kinds.natip,
  kinds.natrule,
]

/** Templates are not among what the search finds, and their list has no readers of its own. */
const templateReaders = ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY'] as const

/** The folded names of one kind, by a range of the index, with the numbers of visible resources. */
const namesOf = (caller: Visibility, kind: Kind): RawBuilder<unknown> => {
  const { table, place: { via } = {} } = kind
  const owner = via ? sql`join ${sql.table(via[0])} via on via.id = ${sql.ref(`${table}.${via[1]}`)}` : sql``
  return sql`select substr(tags.label, ${table.length + 2}) as name_key, min(tags.name) as name, count(*) as count
    from tags join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = tags.resource_id ${owner}
    where tags.label > ${`${table} `} and tags.label < ${`${table}!`} and ${seesKind(caller, kind)}
      and ${table === kinds.natip.table ? seesNotes(caller) : sql`1 = 1`}
    group by tags.label`
}

type Row = { name: string; count: number }

const seen = (db: Db, caller: Visibility, kinds: readonly Kind[]) =>
  db
    .selectFrom(
      sql<
        Row & { name_key: string }
      >`(select name_key, min(name) as name, sum(count) as count from (${sql.join(
        kinds.map((kind) => namesOf(caller, kind)),
        sql` union all `,
      )}) each_kind group by name_key)`.as('seen'),
    )
    .select(['seen.name', 'seen.count'])

const tagView = ({ name, count }: Row): TagDocument => ({ links: [], name, count: Number(count) })

/**
 * The names in use among the resources that the caller may list. The cost is that of the tags that were given, not of the resources: they are
 * counted on the scan thread.
 */
export async function listTags({ caller }: ReadContext, query: TagsQuery): Promise<Listing> {
  const listed = tagged.filter(({ readers = templateReaders }) => can(caller, readers))
  if (listed.length === 0) return { links: [], totalSize: 0, collection: [] }
  return list({
    from: (db) => seen(db, visibilityOf(caller), listed).where(hasText('seen.name_key', query.has)),
    orders: { name: ['seen.name_key'], count: ['seen.count'] },
    id: 'seen.name_key',
    paging: query,
    scans: true,
    views: (rows) => rows.map(tagView),
    path: '/tags',
  })
}
