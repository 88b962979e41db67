import { z } from 'zod'
import { flag, pageQuery } from '#lib/http/paging'
import { links } from '#lib/http/view'
import { addressText } from '#lib/nat/addresses'

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

export const ipQuery = pageQuery(...natIpOrders).extend({
  all: flag('all').default(false),
  snatdefault: flag('snatdefault').default(false),
})
export type IpQuery = z.infer<typeof ipQuery>

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
