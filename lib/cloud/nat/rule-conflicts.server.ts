import { type Rule, rulesIn } from '#lib/cloud/nat/stored-rules.server'
import type { Db } from '#lib/db/db.server'
import { type Fault, fault } from '#lib/ground/http/errors'

/* Rules that want what another rule has. */

/** A rule, and where it is in the document, if it is not the document. */
export type Located = { rule: Rule; at?: string }
export const fieldIn = ({ at }: Located, name: string): string => (at === undefined ? name : `${at}.${name}`)

/** The private IP has a SNAT rule, or the port of the NAT IP a DNAT rule. */
export const takenFault = (placed: Located): Fault =>
  placed.rule.snat
    ? fault('NAT-RULE-14', undefined, fieldIn(placed, 'original'))
    : fault('NAT-RULE-3', undefined, fieldIn(placed, 'originalPort'))

const LAST_PORT = 65_535

/** A rule without ports has all of them. */
const portsOf = ({ originalPort }: Rule): [first: number, last: number] =>
  originalPort === undefined ? [0, LAST_PORT] : [originalPort, originalPort]

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
  db: Db,
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
  const byIp = Map.groupBy<number, Rule>(
    [...there.filter((rule) => !rule.snat && !except.has(rule.id)), ...dnat.map(({ rule }) => rule)],
    ({ natIp }) => natIp,
  )
  const used = dnat.filter(({ rule }) =>
    byIp.get(rule.natIp)?.some((other) => other !== rule && overlap(rule, other)),
  )
  return [...second, ...used].map(takenFault)
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
