import { sql } from 'kysely'
import type { Kind } from '#lib/caller/kinds/kind'
import { allKinds } from '#lib/caller/kinds/kinds'
import type { Db } from '#lib/db/db.server'
import type { Named, StoredChanges } from '#lib/record/events/stored'
import { membersOf, type Touched } from '#lib/record/events/touched.server'
import type { RowSource } from '#lib/state/rows/fields.server'
import { laterRows } from '#lib/state/undo/changed.server'
import { presentRows } from '#lib/state/undo/present.server'
import type { Row } from '#lib/state/undo/resources'

/* The rows of the journal before and after one change. */

/** A resource before and after the change, and now. null: there was none. `members`: what was removed and added of its list. */
export type Changed = {
  source: RowSource
  kind: Kind
  id: number
  before: Row | null
  after: Row | null
  present: Row | null
  members: StoredChanges
}

const keyOf = ({ source, until, id }: Touched): string => `${source} ${until} ${id}`

/** In the same order. The number of queries depends on the number of transactions, of which a page has few. */
export async function changedThings(db: Db, touched: readonly Touched[]): Promise<Changed[]> {
  const found = new Map<string, Changed>()
  for (const some of Map.groupBy(touched, ({ source, until }) => `${source} ${until}`).values()) {
    const changed = await changedTogether(db, some)
    for (const [index, each] of some.entries()) {
      const row = changed[index]
      if (row) found.set(keyOf(each), row)
    }
  }
  return touched.flatMap((each) => found.get(keyOf(each)) ?? [])
}

/** The resources of one table that one transaction changed. */
async function changedTogether(db: Db, touched: readonly Touched[]): Promise<Changed[]> {
  const [first] = touched
  const kind = allKinds.find(({ table }) => table === first?.source)
  if (!first || !kind) return []
  const source = first.source as RowSource
  const { until } = first
  const ids = touched.map(({ id }) => id)
  const past = await db
    .selectFrom('past_rows')
    .where('source', '=', source)
    .where('until', '=', until)
    .where('id', 'in', ids)
    .select(['id', 'content'])
    .execute()
  const contents = new Map(past.map(({ id, content }) => [id, content]))
  const replaced = ids.map((id) => ({ source, id, part: '', until, content: contents.get(id) ?? null }))
  const later = await laterRows(db, source, replaced)
  const present = new Map((await presentRows(db, source, ids)).map(({ id, row }) => [id, row]))
  const members = await changedMembers(db, kind, { until, ids })
  return replaced.map(({ id, content }, index) => {
    const after = later[index] ?? null
    const before = content === null ? null : (JSON.parse(content) as Row)
    return {
      source,
      kind,
      id,
      // Where only its members changed, the row itself is as it was.
      before: contents.has(id) ? before : after,
      after,
      present: present.get(id) ?? null,
      members: members.get(id) ?? {},
    }
  })
}

type Change = { until: number; ids: number[] }
type Member = { id: number; part: string; content: string | null; holder: number }

/** The privileges of roles, or the entities of scopes, that were removed and added. */
async function changedMembers(
  db: Db,
  kind: Kind,
  { until, ids }: Change,
): Promise<Map<number, StoredChanges>> {
  const members = membersOf(kind)
  const changes = new Map<number, StoredChanges>()
  if (!members) return changes
  const { table, holder } = members
  const { rows } =
    await sql<Member>`select * from (select member.id, member.part, member.content, ${holder} as holder
    from past_rows member where member.source = ${table} and member.until = ${until}) members
    where holder in (${sql.join(ids)}) order by id, part`.execute(db)
  const source = table as 'role_privileges' | 'scope_entities'
  const later = await laterRows(
    db,
    source,
    rows.map((row) => ({ ...row, source, until })),
  )
  const field = source === 'role_privileges' ? 'privileges' : 'scopeEntities'
  const all = rows.map((row, index) => ({ ...row, after: later[index] ?? null }))
  for (const [of, some] of Map.groupBy(all, (row) => row.holder)) {
    const removed = some.flatMap(({ part, content, after }) =>
      content !== null && !after ? [memberIn(part, JSON.parse(content) as Row)] : [],
    )
    const added = some.flatMap(({ part, content, after }) =>
      content === null && after ? [memberIn(part, after)] : [],
    )
    if (removed.length + added.length === 0) continue
    const change = {
      ...(removed.length > 0 && { before: { items: removed } }),
      ...(added.length > 0 && { after: { items: added } }),
    }
    changes.set(of, { [field]: change })
  }
  return changes
}

/** A privilege by its name, an entity of a scope as the resource that it is. */
function memberIn(part: string, { enterprise_id, datacenter_id }: Row): string | Named {
  if (part !== '') return part
  return enterprise_id === null
    ? { type: 'datacenter', id: Number(datacenter_id) }
    : { type: 'enterprise', id: Number(enterprise_id) }
}
