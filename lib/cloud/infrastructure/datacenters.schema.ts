import { z } from 'zod'
import type { Privilege } from '#lib/caller/auth/privileges'
import { noted } from '#lib/caller/kinds/notes.schema'
import { shown } from '#lib/ground/http/fields.schema'
import { text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'

/** The fields that are columns. */
export const datacenterFields = { name: text(1, 128), location: text(0, 128).default(''), ...noted }

export const datacenterDocument = z.object({ links, id: z.int(), ...shown(datacenterFields) })
export type DatacenterDocument = z.infer<typeof datacenterDocument>

/** Readers of a datacenter may also read its lists that are always empty. */
export const readersOfDatacenter = [
  'PHYS_DC_ENUMERATE',
  'VDC_MANAGE',
  'USERS_MANAGE_ENTERPRISE',
  'APPLIB_VIEW',
] as const satisfies readonly Privilege[]

/** Storage tiers and private networks: old clients read these lists, which are empty (docs/api/datacenters.md, "Datacenters and locations"). */
export const notKeptDocument = z.object({ links, id: z.int(), name: z.string() })

/** The fields for every caller who sees the datacenter. */
export const locationDocument = z.object({ links, id: z.int(), name: z.string(), location: z.string() })
export type LocationDocument = z.infer<typeof locationDocument>

export const datacenterInput = z.object(datacenterFields)
export type DatacenterInput = z.infer<typeof datacenterInput>

export const rackDocument = z.object({ links, id: z.int(), name: z.string(), shortDescription: z.string() })
export type RackDocument = z.infer<typeof rackDocument>

export const remoteServiceDocument = z.object({
  links,
  id: z.int(),
  type: z.string(),
  uri: z.string(),
  status: z.int(),
})
export type RemoteServiceDocument = z.infer<typeof remoteServiceDocument>
