import { kinds } from '#lib/caller/kinds/kinds'
import { namesCell } from '#lib/ground/http/csv'
import { mediaNames } from '#lib/ground/http/view'
import { endpointText } from '#lib/ground/net/endpoints'
import type { ExportEntity } from '#lib/state/plans/plans.schema'

/* The identity and the display name of an exported item. */

type Item = Readonly<Record<string, unknown>>

const shown = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The address of a rule on the side of the NAT network. */
export const natAddress = (rule: Item): string =>
  shown(rule.type === 'SNAT' ? rule.translated : rule.original)

/** The address of a rule on the side of the virtual machine. */
export const innerAddress = (rule: Item): string =>
  shown(rule.type === 'SNAT' ? rule.original : rule.translated)

/** The kind of the items of a list. */
export const itemKindOf = <Entity extends ExportEntity>(
  entity: Entity,
): (typeof kinds)[(typeof mediaNames)[Entity]] => kinds[mediaNames[entity]]

/** The members of the identity, which are in the name and the place of an operation. */
export const identityOf = (entity: ExportEntity): readonly string[] => itemKindOf(entity).identity

/** The identity of a rule: its place in the NAT network. */
const ruleIdentity = (rule: Item): unknown[] => [
  rule.datacenter,
  rule.network,
  natAddress(rule),
  ...(rule.type === 'SNAT'
    ? ['SNAT', innerAddress(rule)]
    : [rule.protocol ?? 'ANY', rule.originalPort ?? '']),
]

/** Equal for versions of one item. */
export const keyOf = (entity: ExportEntity, item: Item): string =>
  JSON.stringify(
    entity === 'natrules' ? ruleIdentity(item) : identityOf(entity).map((member) => item[member]),
  )

const endOf = (address: unknown, port: unknown): string =>
  endpointText(shown(address), port === undefined ? '' : String(port))

const ruleName = (rule: Item): string => {
  const { original, originalPort, translated, translatedPort } = rule
  return `${shown(rule.protocol) || shown(rule.type)} ${endOf(original, originalPort)} → ${endOf(translated, translatedPort)}`
}

/** The name of an item for people. */
export function nameOf(entity: ExportEntity, item: Item): string | undefined {
  if (entity === 'natrules') return ruleName(item)
  const name = item[identityOf(entity).at(-1) ?? '']
  return typeof name === 'string' ? name.slice(0, 128) : undefined
}

/** The datacenter and the network of a NAT item. */
export const placeOf = ({ datacenter, network }: Item): string | undefined =>
  typeof datacenter === 'string'
    ? [datacenter, ...(typeof network === 'string' && network !== '' ? [network] : [])].join(' / ')
    : undefined

/** A value as in a cell of CSV. */
export function cellOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? namesCell(value.map(String)) : String(value)
}
