import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import type { DatacenterRow } from '#lib/cloud/infrastructure/datacenters.server'
import type { NatExplanation, NatPacket, NatStep } from '#lib/cloud/nat/explain.schema'
import { nearMisses } from '#lib/cloud/nat/near-misses'
import { ruleViews } from '#lib/cloud/nat/rules.server'
import { type TranslationRow, translationView } from '#lib/cloud/translations/translations.server'
import { database } from '#lib/db/db.server'
import { type Desired, elementsOf } from '#lib/gateway/desired'
import type { Translation } from '#lib/gateway/elements'
import { type Hop, hopsOf } from '#lib/gateway/packet'
import { type LinkDocument, linkOf } from '#lib/ground/http/view'
import { addressKey, parseAddress } from '#lib/ground/net/addresses'

/*
 * The path of a packet, by the gateway's own functions (lib/gateway). Two translations exclude each other only if they share the NAT IP or
 * the private IP, so only the translations of the packet's two addresses matter.
 */

type Asking = ReadContext & { found: DatacenterRow; body: NatPacket }

type ExplainedRow = TranslationRow & { device_id: number; device_name: string; seen: number }

const keyOf = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed ? addressKey(parsed.version, parsed.value) : ''
}

const columns = (rule: RawBuilder<unknown>, caller: ReadContext['caller']) => sql`${rule},
  nat_ips.ip as nat_ip, private_ips.ip as private_ip, nat_networks.device_id as device_id, devices.name as device_name,
  case when ${seesEnterprise(caller, 'virtual_datacenters.enterprise_id')} then 1 else 0 end as seen`

const ofRule = sql`nat_rules.id as rule_id, case nat_rules.snat when 1 then 'snat' else 'dnat' end as kind,
  nat_rules.protocol as protocol, nat_rules.original_port as nat_port, nat_rules.original_port_end as nat_port_end,
  nat_rules.sources as sources, nat_rules.translated_port as private_port`

const ofDefault = sql`null as rule_id, 'default' as kind, null as protocol, null as nat_port, null as nat_port_end, null as sources,
  null as private_port`

const placed = sql`join nat_networks on nat_networks.id = nat_ips.nat_network_id join devices on devices.id = nat_networks.device_id`

/** `disabled`: those that no gateway carries. */
const rulesWhere = async (
  { caller }: ReadContext,
  where: RawBuilder<SqlBool>,
  { disabled = false } = {},
): Promise<ExplainedRow[]> => {
  const state = disabled ? sql`nat_rules.disabled_at is not null` : sql`nat_rules.disabled_at is null`
  const { rows } = await sql<ExplainedRow>`select ${columns(ofRule, caller)} from nat_rules
    join private_ips on private_ips.id = nat_rules.private_ip_id
    join virtual_datacenters on virtual_datacenters.id = private_ips.virtual_datacenter_id
    join nat_ips on nat_ips.id = nat_rules.nat_ip_id ${placed} where ${where} and ${state}`.execute(
    database().read,
  )
  return rows
}

const isFrom = (datacenter: number, key: string) =>
  sql<SqlBool>`private_ips.ip_key = ${key} and virtual_datacenters.datacenter_id = ${datacenter}`

/** The rules of the destination and of the source: of private IPs only those that the caller sees. */
async function rulesOfEnds(
  context: ReadContext,
  { datacenter, from, to }: { datacenter: number } & Pick<NatPacket, 'from' | 'to'>,
  state?: { disabled: boolean },
): Promise<ExplainedRow[]> {
  const inbound = sql<SqlBool>`nat_rules.datacenter_id = ${datacenter} and nat_rules.ip_key = ${keyOf(to)} and nat_rules.snat = 0`
  const outbound = sql<SqlBool>`${isFrom(datacenter, keyOf(from))} and nat_rules.virtual_machine_id = private_ips.virtual_machine_id`
  const own = (await rulesWhere(context, outbound, state)).filter(({ seen }) => seen === 1)
  return [...(await rulesWhere(context, inbound, state)), ...own]
}

/** The default SNATs of the source, if the caller sees it. */
async function defaultsOf(context: ReadContext, datacenter: number, key: string): Promise<ExplainedRow[]> {
  const { rows } = await sql<ExplainedRow>`select ${columns(ofDefault, context.caller)} from private_ips
    join virtual_datacenters on virtual_datacenters.id = private_ips.virtual_datacenter_id
    join nat_ips on nat_ips.virtual_datacenter_id = private_ips.virtual_datacenter_id and nat_ips.default_snat = 1 ${placed}
    where ${isFrom(datacenter, key)} and not exists (
      select 1 from nat_rules where nat_rules.private_ip_id = private_ips.id and nat_rules.snat = 1 and nat_rules.disabled_at is null)`.execute(
    database().read,
  )
  return rows.filter(({ seen }) => seen === 1)
}

type Verdict = { device: { id: number; name: string }; rows: ExplainedRow[]; desired: Desired; hops: Hop[] }

/** The result of each device: first those that translate the destination, then those that translate the source. */
function verdictsOf(rows: readonly ExplainedRow[], packet: NatPacket): Verdict[] {
  const verdicts = [...Map.groupBy(rows, ({ device_id }) => device_id)].map(([id, own]) => {
    const desired = elementsOf(own.map((row): Translation => translationView(row) as Translation))
    const name = own[0]?.device_name ?? ''
    return { device: { id, name }, rows: own, desired, hops: hopsOf(desired.elements, packet) }
  })
  const rank = ({ hops }: Verdict): number => {
    const [first] = hops
    if (first?.kind === 'dnat') return 0
    return first ? 1 : 2
  }
  return verdicts.toSorted((one, other) => rank(one) - rank(other) || one.device.id - other.device.id)
}

const endpointOf = (address: string, port: number | undefined): string =>
  port === undefined ? address : `${address} port ${port}`

function messageOf({ kind, rule, address = '', port }: Hop, { from, to, port: asked }: NatPacket): string {
  switch (kind) {
    case 'dnat':
      return `Rule ${rule} changes the destination from ${endpointOf(to, asked)} to ${endpointOf(address, port ?? asked)}`
    case 'snat':
      return `Rule ${rule} changes the source from ${from} to ${address}`
    case 'default':
      return `The default SNAT changes the source from ${from} to ${address}`
    case 'masquerade':
      return `Both ends are behind this device, so the source ${from} becomes the own address of the gateway: the answer comes back through it`
  }
}

type Explaining = { context: ReadContext; packet: NatPacket; verdict: Verdict }

/** Links to the rule and to the machine, if the caller sees them. */
async function linksOfRule(context: ReadContext, rule: number | undefined): Promise<LinkDocument[]> {
  if (rule === undefined) return []
  const [view] = await ruleViews(context, [{ id: rule }])
  const self = view && linkOf(view, 'self')
  const machine = view && linkOf(view, 'virtualmachine')
  return [...(self ? [{ ...self, rel: 'rule' }] : []), ...(machine ? [machine] : [])]
}

async function stepOf({ context, packet, verdict }: Explaining, hop: Hop): Promise<NatStep> {
  const { kind, rule, address, port } = hop
  const links = await linksOfRule(context, rule)
  const isHidden = verdict.rows.some((row) => row.rule_id !== null && row.rule_id === rule && row.seen === 0)
  if (isHidden)
    return { links, kind, message: `Rule ${rule} changes the destination to a machine that you do not see` }
  const after = kind === 'dnat' && packet.protocol !== 'ANY' ? (port ?? packet.port) : undefined
  return {
    links,
    kind,
    ...(address !== undefined && { address }),
    ...(after !== undefined && { port: after }),
    message: messageOf(hop, packet),
  }
}

/** The disabled rules that would translate the packet. */
async function disabledFor(context: ReadContext, datacenter: number, packet: NatPacket): Promise<number[]> {
  const rows = await rulesOfEnds(context, { datacenter, ...packet }, { disabled: true })
  return verdictsOf(rows, packet).flatMap(({ hops }) => hops.flatMap(({ rule }) => rule ?? []))
}

/** Why nothing translates the packet. */
async function reasonFor(
  { context: { caller }, packet }: Omit<Explaining, 'verdict'>,
  datacenter: number,
  others: readonly string[],
): Promise<string> {
  const { from, to, protocol, port } = packet
  const { read } = database()
  const natIp = await read
    .selectFrom('nat_ips')
    .where('datacenter_id', '=', datacenter)
    .where('ip_key', '=', keyOf(to))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  const privateIp = await read
    .selectFrom('private_ips')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'private_ips.virtual_datacenter_id')
    .where('private_ips.ip_key', '=', keyOf(from))
    .where('virtual_datacenters.datacenter_id', '=', datacenter)
    .where(seesEnterprise(caller, 'virtual_datacenters.enterprise_id'))
    .select('private_ips.id')
    .limit(1)
    .executeTakeFirst()
  const asked = protocol === 'ANY' ? 'other protocols than TCP and UDP' : `${protocol} port ${port}`
  const said = [
    natIp ? `no DNAT rule of ${to} covers ${asked}` : `${to} is no NAT IP of this datacenter`,
    privateIp
      ? `${from} has neither an SNAT rule nor a default SNAT`
      : `${from} is no private IP of this datacenter`,
    ...others,
  ]
  const text = said.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The path of a packet through the gateway, step by step. */
export async function explainPacket({ found, body: packet, ...context }: Asking): Promise<NatExplanation> {
  const { id: datacenter } = found
  const rows = [
    ...(await rulesOfEnds(context, { datacenter, ...packet })),
    ...(await defaultsOf(context, datacenter, keyOf(packet.from))),
  ]
  // A DNAT rule to its own sender is found by both addresses.
  const unique = [...new Map(rows.map((row, index) => [row.rule_id ?? -index, row])).values()]
  const [verdict] = verdictsOf(unique, packet)
  if (!verdict || verdict.hops.length === 0) {
    // The reasons name private addresses and sources.
    const own = unique.filter((row) => row.seen === 1)
    const seen = new Set(own.map(({ rule_id }) => rule_id ?? undefined))
    const refused = verdict?.desired.refused.filter(({ rule }) => seen.has(rule)) ?? []
    const reason = await reasonFor({ context, packet }, datacenter, [
      ...nearMisses(
        own.filter(({ nat_ip }) => keyOf(nat_ip) === keyOf(packet.to)),
        packet,
      ),
      ...refused.map((each) => `the gateway refuses a rule: ${each.reason}`),
      ...(await disabledFor(context, datacenter, packet)).map((rule) => `the rule ${rule} is disabled`),
    ])
    return { links: [], steps: [], reason }
  }
  const steps: NatStep[] = []
  for (const hop of verdict.hops) steps.push(await stepOf({ context, packet, verdict }, hop))
  const [first] = steps
  const { id, name } = verdict.device
  const device = linkTo(kinds.device, { datacenter, id }, name)
  return {
    links: [...(first?.links ?? []), device],
    ...(first?.address !== undefined && { address: first.address }),
    ...(first?.port !== undefined && { port: first.port }),
    steps,
  }
}
