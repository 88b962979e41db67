import { z } from 'zod'
import { flag, pageQuery, queryId } from '#lib/http/paging'
import { links } from '#lib/http/view'
import { addressText } from '#lib/net/addresses'

/** What a NAT IP looks like to clients. While attached it links `virtualdatacenter` and `enterprise`. */
export const natIpDocument = z.object({
  links,
  id: z.int(),
  ip: z.string(),
  available: z.boolean(),
  quarantine: z.boolean(),
  defaultSnat: z.boolean(),
  ipv6: z.boolean(),
  networkName: z.string(),
})
export type NatIpDocument = z.infer<typeof natIpDocument>

export const natIpOrders = [
  'ip',
  'network',
  'available',
  'quarantine',
  'virtualdatacenter',
  'enterprise',
] as const

const ipFilters = {
  all: flag('all').default(false).meta({ description: 'true: those that are not available too' }),
  snatdefault: flag('snatdefault').default(false).meta({ description: 'true: only default SNAT IPs' }),
  available: flag('available')
    .optional()
    .meta({ description: 'false: only those that are not available; `all` is implied' }),
  quarantine: flag('quarantine').optional().meta({ description: 'Whether it is in quarantine' }),
  attached: flag('attached')
    .optional()
    .meta({ description: 'Whether a virtual datacenter holds it, as far as the caller sees' }),
  enterprise: queryId('enterprise').optional().meta({ description: 'Only those that this enterprise holds' }),
  virtualdatacenter: queryId('virtualdatacenter')
    .optional()
    .meta({ description: 'Only those that this virtual datacenter holds' }),
}

const network = queryId('network').optional().meta({ description: 'Only those of this NAT network' })

/** What the IPs of one network are asked for by. */
export const ipQuery = pageQuery(...natIpOrders).extend(ipFilters)

/** What those of a datacenter are asked for by. */
export const datacenterIpQuery = ipQuery.extend({ network })
export type IpQuery = z.infer<typeof datacenterIpQuery>

/** Where an address stands in the list of a datacenter's IPs, ordered by IP. */
export const ipPositionQuery = datacenterIpQuery.pick({ has: true, asc: true }).extend({
  ...ipFilters,
  network,
  ip: z.string().default('').meta({ description: 'The address; it is mandatory', default: undefined }),
})
export type IpPositionQuery = z.infer<typeof ipPositionQuery>

export type IpFilters = Omit<IpPositionQuery, 'ip' | 'asc'>

/** `position`: how many IPs of the list stand before the address, whether or not it is there itself. */
export const natIpPosition = z.object({
  links,
  ip: z.string(),
  exists: z.boolean(),
  position: z.int(),
  id: z.int().optional(),
})
export type NatIpPosition = z.infer<typeof natIpPosition>

/** What POST and PUT of a NAT IP take. On POST without an address it is the lowest free one. */
export const natIpInput = z.object({
  ip: addressText.optional(),
  available: z.boolean().default(true),
  quarantine: z.boolean().default(false),
})
export type NatIpInput = z.infer<typeof natIpInput>

/** A run of addresses, the lowest free one from `ip` on: at most a /16 in one call. */
export const ipsBulkInput = natIpInput.extend({ numips: z.int().min(1).max(65_536) })
export type IpsBulkInput = z.infer<typeof ipsBulkInput>

/** PUT of an attached NAT IP: true makes it the default SNAT of its virtual datacenter. */
export const natIpDefaultInput = z.object({ defaultSnat: z.boolean() })

export const attachedIpQuery = pageQuery(...natIpOrders).extend({
  usable: flag('usable')
    .default(false)
    .meta({ description: 'Only those without rules and not in quarantine' }),
})
export type AttachedIpQuery = z.infer<typeof attachedIpQuery>
