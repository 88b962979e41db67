import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted } from '#lib/caller/kinds/notes.schema'
import { shown, type Values } from '#lib/ground/http/fields.schema'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { changed, nameQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { links } from '#lib/ground/http/view'

/** The fields that are columns. */
export const virtualDatacenterFields = { name: text(1, 128), ...noted }

export type VirtualDatacenterFields = Values<typeof virtualDatacenterFields>

/** A virtual datacenter: the resources of one enterprise in one datacenter. */
export const virtualDatacenterDocument = z.object({ links, id: z.int(), ...shown(virtualDatacenterFields) })
export type VirtualDatacenterDocument = z.infer<typeof virtualDatacenterDocument>

const enterprise = { path: patternOf(kinds.enterprise) }
const location = { path: patternOf(kinds.location) }
const device = { path: patternOf(kinds.device) }

export const newVirtualDatacenterInput = z.object({
  ...virtualDatacenterFields,
  links: linksOf({
    enterprise: { ...enterprise, missing: 'GEN-2' },
    location: { ...location, missing: 'GEN-2' },
    device,
  }),
})
export type NewVirtualDatacenterInput = z.infer<typeof newVirtualDatacenterInput>

/** Body of PUT. The enterprise and the location never change and may be missing. Without a device link the device is removed. */
export const virtualDatacenterInput = z.object({
  ...virtualDatacenterFields,
  links: linksOf({ enterprise, location, device }),
})
export type VirtualDatacenterInput = z.infer<typeof virtualDatacenterInput>

export const virtualDatacenterQuery = nameQuery.extend({
  enterprise: queryId('enterprise').optional().meta({ description: 'Only those of this enterprise' }),
  datacenter: queryId('datacenter').optional().meta({ description: 'Only those in this datacenter' }),
  device: queryId('device').optional().meta({ description: 'Only those on this device' }),
  changed,
  tag,
})
export type VirtualDatacenterQuery = z.infer<typeof virtualDatacenterQuery>
