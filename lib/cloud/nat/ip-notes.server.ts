import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { columns } from '#lib/caller/kinds/columns.server'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Noted, noted, type TagChanges } from '#lib/caller/kinds/notes.schema'
import { alikeByTags } from '#lib/caller/kinds/tag-changes.server'
import { seesEnterprise, type Visibility } from '#lib/caller/scopes/visibility.server'
import { chunksOf } from '#lib/db/chunks'
import type { Db, Trx } from '#lib/db/db.server'
import { hasTags } from '#lib/db/tags.server'

/* The notes of NAT IPs belong to who holds them: a caller who does not see the holder sees no notes, and a released IP has none. */

export const ipNotes = columns(kinds.natip, noted, {})

/** The columns of an IP that is released. */
export const releasedColumns = { virtual_datacenter_id: null, ends_at: null, ...ipNotes.written({}) }

/** True if no virtual datacenter holds the IP, or one that the caller sees. */
export const seesNotes = (caller: Visibility): RawBuilder<SqlBool> =>
  caller.scope.allEnterprises
    ? sql`1 = 1`
    : sql`(nat_ips.virtual_datacenter_id is null or exists (select 1 from virtual_datacenters as holding
        where holding.id = nat_ips.virtual_datacenter_id and ${seesEnterprise(caller, 'holding.enterprise_id')}))`

/** True if the IP has all of these tags, as far as the caller sees them. */
export const hasIpTags = (caller: Visibility, tags: readonly string[] | undefined): RawBuilder<SqlBool> =>
  tags === undefined ? sql`1 = 1` : sql`${hasTags('nat_ips.id', tags)} and ${seesNotes(caller)}`

/** The IPs whose notes the caller sees. Hidden notes stay as they are, whatever the document says. */
export async function withSeenNotes<Ip extends { id: number }>(
  db: Db,
  caller: Visibility,
  ips: readonly Ip[],
): Promise<readonly Ip[]> {
  if (caller.scope.allEnterprises) return ips
  const seen = new Set<number>()
  for (const some of chunksOf(ips)) {
    const ids = some.map(({ id }) => id)
    const found = db.selectFrom('nat_ips').where('nat_ips.id', 'in', ids).where(seesNotes(caller))
    for (const { id } of await found.select('nat_ips.id').execute()) seen.add(id)
  }
  return ips.filter(({ id }) => seen.has(id))
}

export async function setIpNotes(trx: Trx, ids: readonly number[], notes: Noted): Promise<void> {
  for (const some of chunksOf(ids))
    await trx.updateTable('nat_ips').set(ipNotes.written(notes)).where('id', 'in', some).execute()
}

/** Adds and removes tags, and returns the ids of the IPs that it changed. Hidden tags stay as they are, and refuse nothing. */
export async function changeIpTags(
  trx: Trx,
  caller: Visibility,
  ips: readonly { id: number; tags: string }[],
  change: TagChanges,
): Promise<number[]> {
  if (!change.addTags && !change.removeTags) return []
  const alike = alikeByTags(await withSeenNotes(trx, caller, ips), change)
  for (const { ids, tags: names } of alike)
    for (const some of chunksOf(ids)) {
      const { tags, tags_key } = ipNotes.written({ tags: names })
      await trx.updateTable('nat_ips').set({ tags, tags_key }).where('nat_ips.id', 'in', some).execute()
    }
  return alike.flatMap(({ ids }) => ids)
}
