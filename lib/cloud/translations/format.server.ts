import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { RANGES_AND_SOURCES } from '#lib/cloud/translations/translations.schema'
import type { Db } from '#lib/db/db.server'

/*
 * What a gateway understands of an entry. An older program ignores the members that it does not know: it would carry a rule for some clients
 * for all clients, and of a range the first port. So it gets no rules with them.
 */

export const knowsRanges = (formatVersion: number): boolean => formatVersion >= RANGES_AND_SOURCES

/** The condition of the index `nat_rules_ranged`. */
const isRanged = sql<SqlBool>`(nat_rules.original_port_end is not null or nat_rules.sources is not null)`

const isOld = sql<SqlBool>`device_states.format_version < ${sql.lit(RANGES_AND_SOURCES)}`

/** 1 if the gateway does not get the rule. */
export const isLeftOut = (): RawBuilder<number> => sql`case when ${isOld} and ${isRanged} then 1 else 0 end`

/** 1 if the gateway does not get some rule of its device. */
export const hasLeftOut = (): RawBuilder<number> =>
  sql`case when ${isOld} and exists (select 1 from nat_networks join nat_rules on nat_rules.nat_network_id = nat_networks.id
    where nat_networks.device_id = device_states.device_id and ${isRanged} and nat_rules.disabled_at is null) then 1 else 0 end`

/** How many rules of the device a gateway of this version does not get. */
export async function leftOutOf(db: Db, device: number, formatVersion: number): Promise<number> {
  if (knowsRanges(formatVersion)) return 0
  const { count } = await db
    .selectFrom('nat_networks')
    .innerJoin('nat_rules', 'nat_rules.nat_network_id', 'nat_networks.id')
    .where('nat_networks.device_id', '=', device)
    .where(isRanged)
    .where('nat_rules.disabled_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
