import { z } from 'zod'
import { flag, pageQuery } from '#lib/http/paging'
import { links } from '#lib/http/view'

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
