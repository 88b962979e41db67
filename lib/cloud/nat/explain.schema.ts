import { z } from 'zod'
import { natProtocols } from '#lib/cloud/nat/rules.schema'
import { coded } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'
import { addressText } from '#lib/ground/net/addresses'

const port = z.int().min(1).max(65_535).meta({ example: 443 })

/** The first packet of a connection. */
export const natPacket = z
  .object({
    from: addressText.meta({ example: '198.51.100.7' }),
    to: addressText.meta({ example: '203.0.113.5' }),
    protocol: z
      .enum(natProtocols)
      .meta({ description: 'ANY: another protocol, such as ICMP, which has no ports' }),
    port: port.optional().meta({ description: 'The destination port, of TCP and UDP' }),
  })
  .superRefine(({ protocol, port: given }, context) => {
    if (protocol !== 'ANY' && given === undefined)
      context.addIssue({
        code: 'custom',
        path: ['port'],
        ...coded('CONSTR-NOTNULL', 'must not be missing'),
        input: given,
      })
  })
export type NatPacket = z.infer<typeof natPacket>

/** One translation. */
const natStep = z.object({
  links,
  kind: z.enum(['dnat', 'snat', 'default', 'masquerade']),
  address: z.string().optional().meta({
    description:
      'The new destination of dnat, else the new source. Missing: hidden from the caller, or the own address of the gateway (masquerade)',
  }),
  port: port.optional().meta({ description: 'The new destination port' }),
  message: z.string(),
})
export type NatStep = z.infer<typeof natStep>

/** The path of a packet through the gateway (docs/api/nat-check.md, "What happens to this packet"). */
export const natExplanation = z.object({
  links,
  address: z
    .string()
    .optional()
    .meta({ description: 'The new destination where the destination is translated, else the new source' }),
  port: port.optional(),
  steps: z.array(natStep),
  reason: z.string().optional().meta({ description: 'Why nothing translates the packet' }),
})
export type NatExplanation = z.infer<typeof natExplanation>
