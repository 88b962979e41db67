import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { RuleSettings } from '#lib/cloud/nat/rule-settings.server'
import { LAST_PORT, type NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { ruleViews } from '#lib/cloud/nat/rules.server'
import { type Rule, rulesIn } from '#lib/cloud/nat/stored-rules.server'
import type { Db } from '#lib/db/db.server'
import { ApiError, type Fault, fault, MOST_FAULTS } from '#lib/ground/http/errors'
import { linkOf, ownLink } from '#lib/ground/http/view'
import { parseCidr } from '#lib/ground/net/addresses'
import { portsText } from '#lib/ground/net/endpoints'

/* Rules that want what another rule has, and what the device of a rule can carry. */

/** A rule, and where it is in the document, if it is not the document. */
export type Located = { rule: Rule; at?: string }
export const fieldIn = ({ at }: Located, name: string): string => (at === undefined ? name : `${at}.${name}`)

/** The private IP has a SNAT rule, or the port of the NAT IP a DNAT rule, whose name is `other`. */
export const takenFault = (placed: Located, other?: string): Fault =>
  placed.rule.snat
    ? fault('NAT-RULE-14', undefined, fieldIn(placed, 'original'))
    : fault('NAT-RULE-3', other && usedBy(other), fieldIn(placed, 'originalPort'))

const usedBy = (rule: string) =>
  `This original port and protocol are already used on this NAT IP by the rule ${rule}`

/** A rule without ports has all of them. */
const portsOf = ({ originalPort, originalPortEnd }: Rule): [first: number, last: number] =>
  originalPort === undefined ? [0, LAST_PORT] : [originalPort, originalPortEnd ?? originalPort]

function overlap(one: Rule, other: Rule): boolean {
  const [[first, last], [otherFirst, otherLast]] = [portsOf(one), portsOf(other)]
  return (
    one.natIp === other.natIp &&
    (one.protocol === other.protocol || one.protocol === 'ANY' || other.protocol === 'ANY') &&
    first <= otherLast &&
    otherFirst <= last
  )
}

/** NAT-RULE-14 and NAT-RULE-3. ANY means every protocol, and no port means every port. `except`: the ids of rules that change. */
export async function conflicts(
  { caller, db }: ReadContext,
  placed: readonly Located[],
  except: ReadonlySet<number> = new Set(),
): Promise<Fault[]> {
  const snat = placed.filter(({ rule }) => rule.snat)
  const taken = await snatOf(
    db,
    snat.map(({ rule }) => rule.privateIp),
  )
  const firsts = new Map(snat.toReversed().map((each) => [each.rule.privateIp, each]))
  const second = snat.filter(
    (each) => taken.has(each.rule.privateIp) || firsts.get(each.rule.privateIp) !== each,
  )
  const dnat = placed.filter(({ rule }) => !rule.snat)
  const there = await rulesIn(db, 'nat_ip_id', [...new Set(dnat.map(({ rule }) => rule.natIp))])
  const byIp = Map.groupBy<number, Rule & { id?: number }>(
    [...there.filter((rule) => !rule.snat && !except.has(rule.id)), ...dnat.map(({ rule }) => rule)],
    ({ natIp }) => natIp,
  )
  const used = dnat.flatMap((placed) => {
    const { rule } = placed
    const other = byIp.get(rule.natIp)?.find((each) => each !== rule && overlap(rule, each))
    return other ? [{ placed, other: other.id ?? 0 }] : []
  })
  const names = await namesOf({ caller, db }, used)
  return [
    ...second.map((placed) => takenFault(placed)),
    ...used.map(({ placed, other }) => takenFault(placed, names.get(other))),
  ]
}

/** The names of these stored rules, as far as the caller sees their machines. */
async function namesOf(context: ReadContext, used: readonly { other: number }[]) {
  const ids = [...new Set(used.map(({ other }) => other))].filter((id) => id > 0).slice(0, MOST_FAULTS)
  const views =
    ids.length === 0
      ? []
      : await ruleViews(
          context,
          ids.map((id) => ({ id })),
        )
  return new Map(views.flatMap((view) => (ownLink(view) ? [[view.id, ruleName(view)] as const] : [])))
}

/** `TCP 2500 → web-1:80 (disabled)` */
function ruleName({
  protocol,
  originalPort,
  originalPortEnd,
  translatedPort,
  enabled,
  links,
}: NatRuleDocument) {
  const ports = portsText(originalPort, originalPortEnd)
  const machine = [linkOf({ links }, 'virtualmachine')?.title, translatedPort].filter(Boolean).join(':')
  return `${protocol} ${ports || 'all ports'} → ${machine}${enabled ? '' : ' (disabled)'}`
}

async function snatOf(db: Db, privateIps: number[]): Promise<Set<number>> {
  if (privateIps.length === 0) return new Set()
  const rows = await db
    .selectFrom('nat_rules')
    .where('private_ip_id', 'in', privateIps)
    .where('snat', '=', 1)
    .select('private_ip_id')
    .execute()
  return new Set(rows.map(({ private_ip_id }) => private_ip_id))
}

/** The sources of a rule are of the family of its NAT IP. */
export function sourceFaults(placed: Located, natIpKey: string | undefined): Fault[] {
  if (natIpKey === undefined) return []
  const version = natIpKey.startsWith('6') ? 6 : 4
  const wrong = placed.rule.sources?.find((source) => parseCidr(source)?.version !== version)
  if (wrong === undefined) return []
  return [
    fault(
      'NAT-RULE-17',
      `The source ${wrong} is not IPv${version}, as the NAT IP is`,
      fieldIn(placed, 'sources'),
    ),
  ]
}

/** nft loads so many intervals in a second, and ten times as many in minutes. */
const MOST_RANGED = 10_000
/** Each source of a rule is an interval of its own: so many take nft 5 to 30 seconds and up to 1 GB. */
const MOST_SOURCES = 100_000

/** Sources are joined by commas. */
const sourceCount = sql<number>`sum(case when nat_rules.sources is null then 0
  else length(nat_rules.sources) - length(replace(nat_rules.sources, ',', '')) + 1 end)`

/**
 * Rules with a range of ports or with sources, and these sources, on the devices of these networks. Reads no other rules. Throws NAT-RULE-18.
 */
export async function requireFewRanged(db: Db, networks: readonly number[]): Promise<void> {
  if (networks.length === 0) return
  const rows = await db
    .selectFrom('nat_rules')
    .innerJoin('nat_networks', 'nat_networks.id', 'nat_rules.nat_network_id')
    .where('nat_networks.device_id', 'in', (devices) =>
      devices.selectFrom('nat_networks as own').where('own.id', 'in', networks).select('own.device_id'),
    )
    .where(sql<boolean>`(nat_rules.original_port_end is not null or nat_rules.sources is not null)`)
    .groupBy('nat_networks.device_id')
    .select(({ fn }) => [fn.countAll<number>().as('ranged'), sourceCount.as('sources')])
    .execute()
  if (rows.some(({ ranged }) => Number(ranged) > MOST_RANGED))
    throw new ApiError(
      fault('NAT-RULE-18', 'The device carries at most 10,000 rules with a range of ports or with sources'),
    )
  if (rows.some(({ sources }) => Number(sources) > MOST_SOURCES))
    throw new ApiError(
      fault('NAT-RULE-18', 'The device carries at most 100,000 sources in all its rules together'),
    )
}

/** True if the device has to carry more intervals for the rule than before. */
export const isHeavier = (rule: RuleSettings, before?: RuleSettings): boolean =>
  isRanged(rule) &&
  (before === undefined || !isRanged(before) || (rule.sources?.length ?? 0) > (before.sources?.length ?? 0))

const isRanged = ({ originalPortEnd, sources = [] }: RuleSettings): boolean =>
  originalPortEnd !== undefined || sources.length > 0
