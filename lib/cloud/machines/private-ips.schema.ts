import { z } from 'zod'
import { links } from '#lib/ground/http/view'
import { addressText } from '#lib/ground/net/addresses'

/** A private address of a virtual datacenter. An attached one has the link `virtualmachine`. */
export const privateIpDocument = z.object({ links, id: z.int(), ip: z.string(), mac: z.string() })
export type PrivateIpDocument = z.infer<typeof privateIpDocument>

const mac = z
  .string()
  .regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i, 'must be a MAC address such as 52:54:00:00:00:01')
  .transform((value) => value.toLowerCase())

/** Without a MAC address a new IP gets a generated one, and an existing IP keeps its own. */
export const privateIpInput = z.object({ ip: addressText, mac: mac.optional() })
export type PrivateIpInput = z.infer<typeof privateIpInput>

export const privateIpOrders = ['ip', 'id'] as const
