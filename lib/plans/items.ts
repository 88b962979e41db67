import type { ExportEntity } from '#lib/plans/plans.schema'

/* What makes two things one, and how they are called. */

type Item = Readonly<Record<string, unknown>>

const shown = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The address of a rule on the side of the NAT network. */
export const natAddress = (rule: Item): string =>
  shown(rule.type === 'SNAT' ? rule.translated : rule.original)

/** The address of a rule on the side of the virtual machine. */
export const innerAddress = (rule: Item): string =>
  shown(rule.type === 'SNAT' ? rule.original : rule.translated)

/** The members that identify a thing of each list. They never change. */
const identities: Record<ExportEntity, (item: Item) => unknown[]> = {
  enterprises: ({ name }) => [name],
  scopes: ({ name }) => [name],
  roles: ({ name }) => [name],
  users: ({ nick }) => [nick],
  natnetworks: ({ datacenter, name }) => [datacenter, name],
  natips: ({ datacenter, network, ip }) => [datacenter, network, ip],
  natrules: (rule) => [
    rule.datacenter,
    rule.network,
    natAddress(rule),
    ...(rule.type === 'SNAT'
      ? ['SNAT', innerAddress(rule)]
      : [rule.protocol ?? 'ANY', rule.originalPort ?? '']),
  ],
}

export const keyOf = (entity: ExportEntity, item: Item): string => JSON.stringify(identities[entity](item))

const members: Partial<Record<ExportEntity, readonly string[]>> = {
  users: ['nick'],
  natnetworks: ['datacenter', 'name'],
  natips: ['datacenter', 'network', 'ip'],
  natrules: ['datacenter', 'network', 'type'],
}

/** The members of the identity, which are in the name and the place of an operation. */
export const identityOf = (entity: ExportEntity): readonly string[] => members[entity] ?? ['name']

const endOf = (address: unknown, port: unknown): string =>
  port === undefined
    ? shown(address)
    : `${shown(address).includes(':') ? `[${shown(address)}]` : shown(address)}:${port}`

const ruleName = (rule: Item): string => {
  const { original, originalPort, translated, translatedPort } = rule
  return `${shown(rule.protocol) || shown(rule.type)} ${endOf(original, originalPort)} → ${endOf(translated, translatedPort)}`
}

/** How people know the thing. */
export function nameOf(entity: ExportEntity, item: Item): string | undefined {
  if (entity === 'natrules') return ruleName(item)
  const name = entity === 'users' ? item.nick : entity === 'natips' ? item.ip : item.name
  return typeof name === 'string' ? name.slice(0, 128) : undefined
}

/** The datacenter and the network of a NAT thing. */
export const placeOf = ({ datacenter, network }: Item): string | undefined =>
  typeof datacenter === 'string'
    ? [datacenter, ...(typeof network === 'string' && network !== '' ? [network] : [])].join(' / ')
    : undefined

/** A value as in a cell of CSV. */
export function cellOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return Array.isArray(value) ? value.join('|') : String(value)
}
