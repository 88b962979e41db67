import type { Selectable } from 'kysely'
import { columnsIn, type RuleSettings, settingColumns, settingsOf } from '#lib/cloud/nat/rule-settings.server'
import { isProtocol, type NatProtocol, type NatRuleInput } from '#lib/cloud/nat/rules.schema'
import { chunksOf } from '#lib/db/chunks'
import type { Db, Trx } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'

/* NAT rules as rows, and as they are sent. */

/** The ends of a rule never change: with others it is another rule. An SNAT rule has no protocol. */
type Ends = {
  snat: boolean
  natIp: number
  privateIp: number
  protocol: NatProtocol | ''
}

/** Without `enabled` a rule stays as it is, and a new one is enabled. */
export type Rule = Ends & RuleSettings

export const keyOf = ({ snat, natIp, privateIp, protocol, originalPort, translatedPort }: Rule): string =>
  [snat, natIp, privateIp, protocol, originalPort, translatedPort].join()

export function ruleOf({ snat, protocol = '', links, ...settings }: NatRuleInput): Rule {
  const [natIp, privateIp] = snat ? [links.translated, links.original] : [links.original, links.translated]
  return {
    snat,
    natIp: natIp?.id ?? 0,
    privateIp: privateIp?.id ?? 0,
    protocol: isProtocol(protocol) ? protocol : '',
    ...settings,
  }
}

/** What a rule is made from. */
export const ruleColumns = ['snat', 'nat_ip_id', 'private_ip_id', 'protocol', ...settingColumns] as const

type RuleColumns = { readonly [Key in (typeof ruleColumns)[number]]?: unknown }

/** The rule in a row, present or past. */
export const ruleInRow = (row: RuleColumns): Rule & { enabled: boolean } => ({
  snat: row.snat === 1,
  natIp: Number(row.nat_ip_id),
  privateIp: Number(row.private_ip_id),
  protocol: typeof row.protocol === 'string' && isProtocol(row.protocol) ? row.protocol : '',
  ...settingsOf(row),
})

type Place = Pick<Selectable<Tables['nat_rules']>, 'id' | 'nat_network_id' | 'datacenter_id' | 'ip_key'>

export type StoredRule = ReturnType<typeof ruleInRow> & Place

export async function rulesIn(
  db: Db,
  column: 'virtual_machine_id' | 'nat_ip_id',
  ids: number[],
): Promise<StoredRule[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('nat_rules')
    .where(column, 'in', ids)
    .select(['id', 'nat_network_id', 'datacenter_id', 'ip_key', ...ruleColumns])
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, nat_network_id: row.nat_network_id, datacenter_id: row.datacenter_id },
    ip_key: row.ip_key,
    ...ruleInRow(row),
  }))
}

/** Writes these settings of a rule. */
export const writeSettings = (trx: Trx, id: number, settings: RuleSettings) =>
  trx.updateTable('nat_rules').set(columnsIn(settings)).where('id', '=', id).execute()

/** Enables or disables the rules, and returns the ids of those that it changed. */
export async function switchRules(
  trx: Trx,
  rules: readonly { id: number; disabled_at: number | null }[],
  enabled: boolean,
): Promise<number[]> {
  const differing = rules.filter(({ disabled_at }) => (disabled_at === null) !== enabled).map(({ id }) => id)
  for (const ids of chunksOf(differing))
    await trx.updateTable('nat_rules').set(columnsIn({ enabled })).where('id', 'in', ids).execute()
  return differing
}
