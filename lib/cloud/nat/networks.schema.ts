import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted } from '#lib/caller/kinds/notes.schema'
import { shown } from '#lib/ground/http/fields.schema'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { changed, compared, flag, pageQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { links } from '#lib/ground/http/view'
import { cidrText, rangeText } from '#lib/ground/net/addresses'

/** docs/api/nat-networks.md, "NAT networks". */
export const natNetworkDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  cidr: z.string(),
  ...shown(noted),
  ips: z.int(),
  usedIps: z.int(),
  rules: z.int(),
  assignable: z.int().optional().meta({
    description: 'How many addresses can be in use at all. Missing above 2^53 - 1',
  }),
  fillsOn: z.iso.date().optional().meta({
    description: 'The day on which it is full at the present rate. In lists with `fillswithin` alone',
    example: '2026-12-31',
  }),
})
export type NatNetworkDocument = z.infer<typeof natNetworkDocument>

/** Body of POST and PUT. The CIDR is normalized. */
export const natNetworkInput = z.object({
  name: text(1, 128),
  cidr: cidrText,
  ...noted,
  links: linksOf({
    device: { path: patternOf(kinds.device), missing: 'NAT-NET-3' },
  }),
})
export type NatNetworkInput = z.infer<typeof natNetworkInput>

/** `use`: the share of assignable addresses that are attached. */
const natNetworkOrders = ['name', 'id', 'cidr', 'device', 'use'] as const

const fillswithin = z.coerce
  .number('fillswithin must be a number from 1 to 365')
  .int('fillswithin must be a number from 1 to 365')
  .min(1, 'fillswithin must be a number from 1 to 365')
  .max(365, 'fillswithin must be a number from 1 to 365')
  .optional()
  .meta({ description: 'Only the networks that are full within so many days at the present rate' })

const filters = {
  overlaps: rangeText('overlaps', 'Only the networks that share addresses with this range').optional(),
  rules: compared('rules', 'Only the networks with more (`>10`) or fewer (`<1`) NAT rules than this'),
  used: compared(
    'used',
    'Only the networks of whose assignable addresses more (`>80`) or less (`<5`) than this percentage is attached',
  ),
  fillswithin,
  changed,
  tag,
}

export const natNetworkListQuery = pageQuery(...natNetworkOrders).extend({
  device: queryId('device').optional().meta({ description: 'Only the networks on this device' }),
  ...filters,
})
export type NatNetworkListQuery = z.infer<typeof natNetworkListQuery>

const allNatNetworkOrders = [...natNetworkOrders, 'datacenter'] as const

export const allNatNetworkListQuery = pageQuery(...allNatNetworkOrders).extend({
  datacenter: queryId('datacenter')
    .optional()
    .meta({ description: 'Only the networks of this datacenter: none if the caller does not see it' }),
  ...filters,
})
export type AllNatNetworkListQuery = z.infer<typeof allNatNetworkListQuery>

/** The use of a datacenter's NAT IPs over all its networks. `id` and `name` are the datacenter's. */
export const natUseDocument = natNetworkDocument
  .omit({ cidr: true, description: true, tags: true, fillsOn: true })
  .extend({ networks: z.int() })
export type NatUseDocument = z.infer<typeof natUseDocument>

export const natUseListQuery = pageQuery('name', 'id')
export type NatUseListQuery = z.infer<typeof natUseListQuery>

export const addressMapQuery = z.object({
  block: z.string().optional().meta({
    description: 'A CIDR within the network. By default the whole network, or a block with all its IPs',
  }),
  faults: flag('faults').default(false).meta({
    description: 'true: with `errors` and `drifted`, which takes longer in networks with many rules',
  }),
})
export type AddressMapQuery = z.infer<typeof addressMapQuery>

/** A part of a block and its numbers of IPs. A cell of one address also shows the IP and its visible holder. */
const addressCell = z.object({
  cidr: z.string(),
  ips: z.int(),
  available: z.int(),
  attached: z.int(),
  quarantine: z.int(),
  defaultSnat: z.int(),
  errors: z.int().optional().meta({ description: 'IPs with rules that the check finds errors in' }),
  drifted: z.int().optional().meta({ description: 'IPs with rules that the device reported as drifted' }),
  id: z.int().optional(),
  virtualDatacenter: z.string().optional(),
  enterprise: z.string().optional(),
})
export type AddressCell = z.infer<typeof addressCell>

/** A block of a NAT network in at most 256 cells. Cells without IPs are left out. */
export const addressMapDocument = z.object({
  links,
  block: z.string(),
  version: z.union([z.literal(4), z.literal(6)]),
  cellPrefix: z.int(),
  cells: z.array(addressCell),
})
export type AddressMapDocument = z.infer<typeof addressMapDocument>
