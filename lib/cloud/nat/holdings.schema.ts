import { z } from 'zod'
import { queriedAddress } from '#lib/cloud/nat/ips.schema'
import { flag, pageQuery } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

/** A time in which a virtual datacenter held an address. Deleted resources keep their links, with their last names. */
export const natIpHoldingDocument = z.object({
  links,
  ip: z.string(),
  networkName: z.string(),
  from: z.iso.datetime({ precision: 3 }),
  fromEarlier: z.boolean().optional().meta({
    description: 'True if the holding began before `from`, at which the journal begins',
  }),
  to: z.iso
    .datetime({ precision: 3 })
    .optional()
    .meta({ description: 'Missing: the virtual datacenter still holds the address' }),
  user: z.string().optional().meta({
    description: 'The nick of the user who attached it. Missing if unknown, or hidden from the reader',
  }),
})
export type NatIpHolding = z.infer<typeof natIpHoldingDocument>

export const addressHistoryQuery = pageQuery('from').extend({
  asc: flag('asc').default(false).meta({ description: 'true: oldest first' }),
  ip: queriedAddress,
  at: z.iso
    .datetime({ offset: true, error: 'at must be a moment in RFC 3339' })
    .transform((moment) => Date.parse(moment))
    .optional()
    .meta({ description: 'Only holdings at this moment' }),
})
export type AddressHistoryQuery = z.infer<typeof addressHistoryQuery>
