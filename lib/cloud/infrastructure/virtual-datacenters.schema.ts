import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { changed, nameQuery, queryId } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

/** A virtual datacenter: the resources of one enterprise in one datacenter. */
export const virtualDatacenterDocument = z.object({ links, id: z.int(), name: z.string() })
export type VirtualDatacenterDocument = z.infer<typeof virtualDatacenterDocument>

const enterprise = { path: patternOf(kinds.enterprise) }
const location = { path: patternOf(kinds.location) }
const device = { path: patternOf(kinds.device) }

export const newVirtualDatacenterInput = z.object({
  name: text(1, 128),
  links: linksOf({
    enterprise: { ...enterprise, missing: 'GEN-2' },
    location: { ...location, missing: 'GEN-2' },
    device,
  }),
})
export type NewVirtualDatacenterInput = z.infer<typeof newVirtualDatacenterInput>

/** Body of PUT. The enterprise and the location never change and may be missing. Without a device link the device is removed. */
export const virtualDatacenterInput = z.object({
  name: text(1, 128),
  links: linksOf({ enterprise, location, device }),
})
export type VirtualDatacenterInput = z.infer<typeof virtualDatacenterInput>

export const virtualDatacenterQuery = nameQuery.extend({
  enterprise: queryId('enterprise').optional().meta({ description: 'Only those of this enterprise' }),
  datacenter: queryId('datacenter').optional().meta({ description: 'Only those in this datacenter' }),
  device: queryId('device').optional().meta({ description: 'Only those on this device' }),
  changed,
})
export type VirtualDatacenterQuery = z.infer<typeof virtualDatacenterQuery>
