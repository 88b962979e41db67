import { z } from 'zod'
import { coded } from '#lib/http/input.schema'
import { links } from '#lib/http/view'
import { formatAddress, parseAddress } from '#lib/nat/addresses'

/** A private address of a virtual datacenter; while attached it links `virtualmachine`. */
export const privateIpDocument = z.object({ links, id: z.int(), ip: z.string(), mac: z.string() })
export type PrivateIpDocument = z.infer<typeof privateIpDocument>

const address = z.string().transform((value, context) => {
  const parsed = parseAddress(value.trim())
  if (parsed) return formatAddress(parsed.version, parsed.value)
  const message = `${value.slice(0, 64)} is no IPv4 or IPv6 address`
  context.addIssue({ code: 'custom', ...coded('CONSTR-PATTERN', message), input: value })
  return z.NEVER
})

const mac = z
  .string()
  .regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i, 'must be a MAC address such as 52:54:00:00:00:01')
  .transform((value) => value.toLowerCase())

/** Without a MAC address a new one gets one, and one that is there keeps its own. */
export const privateIpInput = z.object({ ip: address, mac: mac.optional() })
export type PrivateIpInput = z.infer<typeof privateIpInput>

export const privateIpOrders = ['ip', 'id'] as const
