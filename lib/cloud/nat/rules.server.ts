import { type SelectQueryBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { seesEnterprise, type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import { type NatScope, recount } from '#lib/cloud/nat/counts.server'
import { datacenterGroup, datacenterName } from '#lib/cloud/nat/ip-views.server'
import { findIp, type IpPath } from '#lib/cloud/nat/ips.server'
import { type Groups, idsIn, isBetween, longList, type Window } from '#lib/cloud/nat/long-list.server'
import { listPath, type PlacePath } from '#lib/cloud/nat/networks.server'
import { pastRules } from '#lib/cloud/nat/past-rules.server'
import {
  asSeen,
  hasRuleTags,
  isOverlapping,
  requireNarrowed,
  ruleIds,
  rulesCounted,
  seenColumns,
} from '#lib/cloud/nat/rule-filters.server'
import { columnsOf, type RuleSettings, settingColumns, settingsOf } from '#lib/cloud/nat/rule-settings.server'
import {
  type Condition,
  hasWord,
  isAmongMatches,
  machineName,
  rankedMachines,
  rulesWithWord,
} from '#lib/cloud/nat/rule-words.server'
import type { allNatRuleOrders, NatProtocol, NatRuleDocument, RuleQuery } from '#lib/cloud/nat/rules.schema'
import { ruleStateColumns, ruleStateFields } from '#lib/cloud/translations/status.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, isPast, type Trx } from '#lib/db/db.server'
import { inOrderOf, list } from '#lib/db/list.server'
import { paddedIds, statement } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'
import { formerId } from '#lib/db/unique.server'
import type { Listing } from '#lib/ground/http/render.server'
import { type LinkDocument, link } from '#lib/ground/http/view'
import { boundsOf, type KeyBounds } from '#lib/ground/net/addresses'

/** The machine and the private IP of a rule are shown only to callers who see the enterprise. */
type Shown = { ids: number[]; visibility: Visibility }

const details = (db: Db, { ids, visibility }: Shown) =>
  db
    .selectFrom('nat_rules')
    .where('nat_rules.id', 'in', ids)
    .innerJoin('nat_ips', 'nat_ips.id', 'nat_rules.nat_ip_id')
    .innerJoin('nat_networks', 'nat_networks.id', 'nat_rules.nat_network_id')
    .innerJoin('datacenters', 'datacenters.id', 'nat_rules.datacenter_id')
    .innerJoin('private_ips', 'private_ips.id', 'nat_rules.private_ip_id')
    .leftJoin('device_states', 'device_states.device_id', 'nat_networks.device_id')
    .leftJoin('device_rules', 'device_rules.rule_id', 'nat_rules.id')
    .leftJoin('virtual_machines', (join) =>
      join
        .onRef('virtual_machines.id', '=', 'nat_rules.virtual_machine_id')
        .on(seesEnterprise(visibility, 'virtual_machines.enterprise_id')),
    )
    .leftJoin('virtual_datacenters', 'virtual_datacenters.id', 'virtual_machines.virtual_datacenter_id')
    .select([
      'nat_rules.id',
      'nat_rules.snat',
      'nat_rules.protocol',
      'nat_rules.datacenter_id',
      'datacenters.name as datacenter_name',
      'nat_rules.nat_network_id',
      'nat_networks.name as network_name',
      'nat_rules.nat_ip_id',
      'nat_ips.ip as nat_ip',
      'nat_rules.private_ip_id',
      'private_ips.ip as private_ip',
      'private_ips.virtual_datacenter_id as private_virtual_datacenter_id',
      'virtual_machines.id as virtual_machine_id',
      'virtual_machines.name as virtual_machine_name',
      'virtual_machines.virtual_appliance_id',
      'virtual_datacenters.id as virtual_datacenter_id',
      'virtual_datacenters.name as virtual_datacenter_name',
      ...ruleStateColumns(),
    ])
    .select(settingColumns.map((column) => `nat_rules.${column}` as const))

const shownRules = statement('NAT rules', details)

type PresentRow =
  ReturnType<typeof details> extends SelectQueryBuilder<infer _DB, infer _TB, infer Row> ? Row : never
type RuleRow = PresentRow | Awaited<ReturnType<typeof pastRules>>[number]

const ruleView = (row: RuleRow): NatRuleDocument => {
  const datacenter = pathOf(kinds.datacenter, { id: row.datacenter_id })
  const network = `${datacenter}/natnetworks/${row.nat_network_id}`
  const [original, translated] = row.snat === 1 ? ['translated', 'original'] : ['original', 'translated']
  return {
    links: [
      ...machineLinks(row),
      link(original, `${network}/ips/${row.nat_ip_id}`, 'natip', row.nat_ip),
      ...privateIpLink(row, translated),
      link('natnetwork', network, 'natnetwork', row.network_name),
      link('datacenter', datacenter, 'datacenter', row.datacenter_name),
    ],
    id: row.id,
    snat: row.snat === 1,
    ...(row.protocol !== null && { protocol: row.protocol as 'TCP' | 'UDP' | 'ANY' }),
    ...settingsOf(row),
    ...(row.virtual_machine_id === null && noNotes),
    // Reports have no past, and a gateway does not know a disabled rule.
    ...('is_new' in row && row.disabled_at === null && ruleStateFields(row)),
  }
}

/** The private IP belongs to the machine's enterprise, so the same callers see it. */
function privateIpLink(row: RuleRow, rel: string): LinkDocument[] {
  if (row.virtual_machine_id === null) return []
  const path = pathOf(kinds.privateip, {
    virtualdatacenter: row.private_virtual_datacenter_id,
    id: row.private_ip_id,
  })
  return [link(rel, path, 'privateip', row.private_ip)]
}

/** The rule's own path is below its machine, so a hidden machine hides the link to the rule too. */
function machineLinks(row: RuleRow): LinkDocument[] {
  if (row.virtual_machine_id === null || row.virtual_datacenter_id === null) return []
  const datacenter = pathOf(kinds.virtualdatacenter, { id: row.virtual_datacenter_id })
  const machine = `${datacenter}/virtualappliances/${row.virtual_appliance_id}/virtualmachines/${row.virtual_machine_id}`
  return [
    link('self', `${machine}/natrules/${row.id}`, 'natrule'),
    link('virtualmachine', machine, 'virtualmachine', row.virtual_machine_name),
    link('virtualdatacenter', datacenter, 'virtualdatacenter', row.virtual_datacenter_name),
  ]
}

/** The documents of these rules, in this order. Links to hidden resources are left out. */
export async function ruleViews(
  { caller, db }: ReadContext,
  ids: readonly { id: number }[],
): Promise<NatRuleDocument[]> {
  const wanted = { ids: paddedIds(ids), visibility: visibilityOf(caller) }
  const rows: RuleRow[] = await (isPast(db) ? pastRules : shownRules)(db, wanted)
  return inOrderOf(ids, rows).map(ruleView)
}

const byIp = ['nat_rules.ip_key', 'nat_rules.datacenter_id']

type RuleIds = SelectQueryBuilder<Tables, 'nat_rules', { id: number }>

const ordersOfAll = {
  ip: byIp,
  protocol: [sql`coalesce(nat_rules.protocol, '')`, ...byIp],
  originalport: [sql`coalesce(nat_rules.original_port, 0)`, ...byIp],
  translatedport: [sql`coalesce(nat_rules.translated_port, 0)`, ...byIp],
  snat: ['nat_rules.snat', ...byIp],
  datacenter: [datacenterName('nat_rules'), ...byIp],
}

const ruleList = (context: ReadContext, query: RuleQuery, path: string) => ({
  orders: { ...ordersOfAll, virtualmachine: [machineName(context.caller), ...byIp] },
  id: 'nat_rules.id',
  paging: query,
  views: (ids: { id: number }[]) => ruleViews(context, ids),
  path,
})

const groupsOfAll = {
  protocol: {
    key: sql`case nat_rules.protocol when 'ANY' then 1 when 'TCP' then 2 when 'UDP' then 3 else 0 end`,
  },
  originalport: { key: sql`coalesce(nat_rules.original_port, 0)` },
  translatedport: { key: sql`coalesce(nat_rules.translated_port, 0)` },
  snat: { key: sql.ref('nat_rules.snat') },
  datacenter: datacenterGroup('nat_rules'),
}

/** The groups of the orders of `ruleList`. */
const ruleGroupsFor = (caller: Caller): Groups<(typeof allNatRuleOrders)[number]> => ({
  ...groupsOfAll,
  virtualmachine: { key: sql`coalesce(nat_rules.virtual_machine_id, 0)`, ranks: rankedMachines(caller) },
})

const filtered = (rules: RuleIds, { has, snat }: RuleQuery, search: (has: string) => Condition[]): RuleIds =>
  rules
    .$if(has !== '', (rows) => rows.where((any) => any.or(search(has))))
    .$if(snat !== undefined, (rows) => rows.where('nat_rules.snat', '=', snat ? 1 : 0))

type OfKind = { place: NatScope; snat: boolean | undefined }

const rulesOfKind = (db: Db, { place, snat }: OfKind): RuleIds =>
  ruleIds(db, place, {}).$if(snat !== undefined, (rows) => rows.where('nat_rules.snat', '=', snat ? 1 : 0))

const pageOfRules = statement('page of NAT rules', (db, { window, ...kind }: OfKind & { window: Window }) =>
  idsIn(rulesOfKind(db, kind), { table: 'nat_rules', place: kind.place }, window),
)

const countOfRules = statement(
  'count of NAT rules',
  (db, { bounds, ...kind }: OfKind & { bounds: KeyBounds }) =>
    rulesOfKind(db, kind)
      .where(isBetween('nat_rules.ip_key', bounds))
      .clearSelect()
      .select((select) => select.fn.countAll<number>().as('rows')),
)

/** The NAT rules of a network, of a datacenter, or of all visible datacenters. */
export async function listRules({
  params,
  query,
  ...context
}: ReadContext & { params: PlacePath; query: RuleQuery }): Promise<Listing> {
  const place = await requireNarrowed(context, params, query)
  const path = listPath(params, { ofNetwork: 'rules', ofAll: 'allrules' })
  const { caller, db } = context
  const { snat } = query
  const counted = rulesCounted(query)
  return longList({
    ...ruleList(context, query, path),
    groups: ruleGroupsFor(caller),
    place,
    visibility: visibilityOf(caller),
    from: (on, within, candidates) =>
      filtered(ruleIds(on, within, query, candidates), query, (has) =>
        candidates ? hasWord(caller, has) : isAmongMatches(caller, place, has),
      ).where(asSeen(caller, query)),
    candidates: () => rulesWithWord(query.has),
    indexed: counted && {
      bounds: boundsOf(query.within),
      counted,
      page: (within, window) => pageOfRules(db, { place: within, snat, window }),
      count: async (bounds) => Number((await countOfRules(db, { place, snat, bounds }))[0]?.rows),
    },
  })
}

/** The rules of one NAT IP. */
export async function listRulesOfIp({
  params,
  query,
  ...context
}: ReadContext & { params: IpPath; query: RuleQuery }): Promise<Listing> {
  const { id } = await findIp(context, params)
  const { datacenter, natnetwork } = params
  const path = `${pathOf(kinds.natip, { datacenter, natnetwork, id })}/rules`
  return listRulesOf(context, { column: 'nat_rules.nat_ip_id', id, path }, query)
}

type Owner = { column: 'nat_rules.nat_ip_id' | 'nat_rules.virtual_machine_id'; id: number; path: string }

/** The rules of a NAT IP or of a machine, which must be visible to the caller. */
export const listRulesOf = (context: ReadContext, { column, id, path }: Owner, query: RuleQuery) =>
  list({
    ...ruleList(context, query, path),
    seen: seenColumns(context.caller),
    from: (db) =>
      filtered(allRules(db).where(column, '=', id), query, (has) => hasWord(context.caller, has))
        .where(hasRuleTags(context.caller, query.tag))
        .where(isOverlapping(query.overlaps)),
  })

const allRules = (db: Db): RuleIds => db.selectFrom('nat_rules').select('nat_rules.id')

export type NewRule = RuleSettings & {
  natIp: { id: number; ip_key: string }
  privateIpId: number
  virtualMachineId: number
  snat: boolean
  /** Of a DNAT rule. */
  protocol?: NatProtocol | '' | undefined
}

/** Inserts rules of one network, updates its totals, and returns the ids. Unique indexes refuse duplicates. */
export async function insertRules(
  trx: Trx,
  place: { datacenter: number; network: number },
  rules: readonly NewRule[],
): Promise<number[]> {
  const ids: number[] = []
  for (const chunk of chunksOf(rules)) {
    const rows = chunk.map((rule) => ({
      nat_ip_id: rule.natIp.id,
      ip_key: rule.natIp.ip_key,
      private_ip_id: rule.privateIpId,
      virtual_machine_id: rule.virtualMachineId,
      nat_network_id: place.network,
      datacenter_id: place.datacenter,
      snat: rule.snat ? (1 as const) : (0 as const),
      protocol: rule.protocol || null,
      ...columnsOf(rule),
      ...formerId(trx, 'nat_rules'),
    }))
    const inserted = await trx.insertInto('nat_rules').values(rows).returning('id').execute()
    ids.push(...inserted.map(({ id }) => id))
  }
  await recount(trx, {
    after: rules.map(({ snat, natIp }) => ({
      nat_network_id: place.network,
      datacenter_id: place.datacenter,
      ip_key: natIp.ip_key,
      snat,
    })),
  })
  return ids
}

/** The ids of all rules of the datacenter that match the query of its list, by id. */
export async function matchingRules(
  context: ReadContext,
  path: PlacePath,
  query: RuleQuery,
): Promise<() => Promise<number[]>> {
  const place = await requireNarrowed(context, path, query)
  return async () => {
    const rows = await filtered(ruleIds(database().scan, place, query), query, (has) =>
      isAmongMatches(context.caller, place, has),
    )
      .where(asSeen(context.caller, query))
      .orderBy('nat_rules.id')
      .execute()
    return rows.map(({ id }) => id)
  }
}
