import { z } from 'zod'
import { linksOf, text } from '#lib/http/input.schema'
import { links } from '#lib/http/view'
import { cidrText } from '#lib/nat/addresses'

/** What a NAT network looks like to clients (contract, section 7). */
export const natNetworkDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  cidr: z.string(),
  ips: z.int(),
  usedIps: z.int(),
  rules: z.int(),
})
export type NatNetworkDocument = z.infer<typeof natNetworkDocument>

/** What POST and PUT of a NAT network take; the CIDR comes out canonical. */
export const natNetworkInput = z.object({
  name: text(1, 128),
  cidr: cidrText,
  links: linksOf({
    device: { path: '/cloud/locations/:parent/devices/:id', missing: 'NAT-NET-3' },
  }),
})
export type NatNetworkInput = z.infer<typeof natNetworkInput>
