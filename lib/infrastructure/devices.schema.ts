import { z } from 'zod'
import { links } from '#lib/http/view'

/** A network device; its password is never read back. */
export const deviceDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  description: z.string(),
  endpoint: z.string(),
  user: z.string(),
})
export type DeviceDocument = z.infer<typeof deviceDocument>

/** `nat` tells whether devices of this type can hold NAT networks. */
export const deviceTypeDocument = z.object({ links, id: z.int(), name: z.string(), nat: z.boolean() })
export type DeviceTypeDocument = z.infer<typeof deviceTypeDocument>
