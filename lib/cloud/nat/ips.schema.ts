import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted, tagChanges } from '#lib/caller/kinds/notes.schema'
import { ends, endsBefore, endsShown } from '#lib/ground/http/ends.schema'
import { shown } from '#lib/ground/http/fields.schema'
import { linksOf } from '#lib/ground/http/input.schema'
import { changed, compared, flag, pageQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { links } from '#lib/ground/http/view'
import { addressText, rangeText } from '#lib/ground/net/addresses'
import { bulkSelection, requireOneSelection } from '#lib/record/bulk/bulk.schema'

/** An attached NAT IP links `virtualdatacenter` and `enterprise`. */
export const natIpDocument = z.object({
  links,
  id: z.int(),
  ip: z.string(),
  available: z.boolean(),
  quarantine: z.boolean(),
  defaultSnat: z.boolean(),
  ipv6: z.boolean(),
  networkName: z.string(),
  rules: z.int().meta({ description: 'The number of NAT rules of the IP' }),
  ...shown(noted),
  ends: endsShown,
})
export type NatIpDocument = z.infer<typeof natIpDocument>

export const natIpOrders = [
  'ip',
  'network',
  'available',
  'quarantine',
  'virtualdatacenter',
  'enterprise',
] as const

export const allNatIpOrders = [...natIpOrders, 'datacenter'] as const

/** The states of an IP. Attached, in quarantine and unavailable can hold together; a free IP has none of them. */
export const natIpStates = ['free', 'attached', 'quarantine', 'unavailable'] as const
export type NatIpState = (typeof natIpStates)[number]

const ipFilters = {
  tag,
  all: flag('all').default(false).meta({ description: 'true: include IPs that are not available' }),
  state: z.enum(natIpStates).optional().meta({
    description:
      'Only IPs in this state, regardless of `all`. free: available, not in quarantine, and no virtual datacenter that the caller sees holds it',
  }),
  address: addressText.optional().meta({ description: 'Only IPs with this address' }),
  within: rangeText('within', 'Only with addresses in this range').optional(),
  rules: compared('rules', 'Only IPs with more (`>10`) or fewer (`<1`) NAT rules than this'),
  snatdefault: flag('snatdefault').default(false).meta({ description: 'true: only default SNAT IPs' }),
  available: flag('available')
    .optional()
    .meta({ description: 'false: only IPs that are not available, regardless of `all`' }),
  quarantine: flag('quarantine').optional().meta({ description: 'Whether the IP is in quarantine' }),
  attached: flag('attached')
    .optional()
    .meta({ description: 'Whether a virtual datacenter that the caller sees holds the IP' }),
  endsbefore: endsBefore,
}

const holders = {
  changed,
  enterprise: queryId('enterprise').optional().meta({ description: 'Only IPs that this enterprise holds' }),
  virtualdatacenter: queryId('virtualdatacenter')
    .optional()
    .meta({ description: 'Only IPs that this virtual datacenter holds' }),
}

const network = queryId('network').optional().meta({ description: 'Only IPs of this NAT network' })

/** Query for the IPs of one network. */
export const ipQuery = pageQuery(...natIpOrders).extend({ ...ipFilters, ...holders })

/** Query for the IPs of a datacenter. */
export const datacenterIpQuery = pageQuery(...natIpOrders).extend({ ...ipFilters, network, ...holders })

const datacenter = queryId('datacenter')
  .optional()
  .meta({ description: 'Only IPs of this datacenter: none if the caller does not see it' })

/** Query for the IPs of all visible datacenters. */
export const allIpQuery = pageQuery(...allNatIpOrders).extend({
  ...ipFilters,
  datacenter,
  network,
  ...holders,
})
export type IpQuery = Omit<z.infer<typeof allIpQuery>, 'datacenter'> & { datacenter?: number | undefined }

/** The address that a query is about. */
export const queriedAddress = z
  .string()
  .default('')
  .meta({ description: 'The address. Required', default: undefined })

/** Query for the position of an address in the list of a datacenter's IPs, ordered by IP. */
export const ipPositionQuery = datacenterIpQuery.pick({ has: true, asc: true }).extend({
  ...ipFilters,
  network,
  ...holders,
  ip: queriedAddress,
})

/** Query for the position of an address in the list of all IPs. */
export const allIpPositionQuery = ipPositionQuery.extend({ datacenter })
export type IpPositionQuery = z.infer<typeof allIpPositionQuery>

export type IpFilters = Omit<IpPositionQuery, 'ip' | 'asc'>

/** Query for the numbers of IPs in each state. */
export const ipStatesQuery = z.strictObject({
  ...datacenterIpQuery.pick({ has: true }).shape,
  ...ipFilters,
  all: flag('all').default(true).meta({ description: 'false: `ips` leaves out IPs that are not available' }),
  network,
  ...holders,
})
export const allIpStatesQuery = ipStatesQuery.extend({ datacenter })
export type IpStatesQuery = z.infer<typeof allIpStatesQuery>

/** An IP can be in several states. `free` is absent for callers who do not see all enterprises. */
export const natIpStatesDocument = z.object({
  links,
  ips: z.int(),
  free: z.int().optional(),
  attached: z.int(),
  quarantine: z.int(),
  unavailable: z.int(),
})
export type NatIpStates = z.infer<typeof natIpStatesDocument>

/** `position`: the number of IPs before the address, whether or not the address exists. */
export const natIpPosition = z.object({
  links,
  ip: z.string(),
  exists: z.boolean(),
  position: z.int(),
  id: z.int().optional(),
})
export type NatIpPosition = z.infer<typeof natIpPosition>

/** Body of POST and PUT. A POST without an address creates the lowest free one. */
export const natIpInput = z.object({
  ip: addressText.optional(),
  available: z.boolean().default(true),
  quarantine: z.boolean().default(false),
  ...noted,
})
export type NatIpInput = z.infer<typeof natIpInput>

/** Creates the lowest free run of addresses at or above `ip`, at most a /16 in one call. */
export const ipsBulkInput = natIpInput.extend({ numips: z.int().min(1).max(65_536) })
export type IpsBulkInput = z.infer<typeof ipsBulkInput>

/** Body of an attachment, which may be missing. */
export const natIpAttachInput = z.object({ ends: ends.optional() })
export type NatIpAttachInput = z.infer<typeof natIpAttachInput>

/** Body of PUT for an attached NAT IP. true makes it the default SNAT of its virtual datacenter. */
export const natIpHeldInput = z.object({ defaultSnat: z.boolean(), ends: ends.optional(), ...noted })
export type NatIpHeldInput = z.infer<typeof natIpHeldInput>

export const attachedIpQuery = pageQuery(...natIpOrders).extend({
  tag,
  freefor: z
    .string()
    .regex(/^(TCP|UDP):[1-9]\d{0,4}$/, 'freefor must be like TCP:443')
    .optional()
    .meta({
      description:
        'Only IPs that are not in quarantine and have no DNAT rule for this protocol and port: `TCP:443`',
    }),
  snatdefault: flag('snatdefault').default(false).meta({ description: 'true: only the default SNAT' }),
  usable: flag('usable').default(false).meta({ description: 'Only IPs without rules and not in quarantine' }),
  endsbefore: endsBefore,
})
/** Query for the NAT IPs that a virtual datacenter could get. */
export const freeIpQuery = pageQuery(...natIpOrders).extend({ tag })
export type FreeIpQuery = z.infer<typeof freeIpQuery>

/** Query for the NAT IPs that the visible virtual datacenters hold. */
export const heldIpQuery = pageQuery(...natIpOrders).extend({
  tag,
  within: rangeText('within', 'Only with addresses in this range').optional(),
  virtualdatacenter: queryId('virtualdatacenter')
    .optional()
    .meta({ description: 'Only IPs that this virtual datacenter holds' }),
  endsbefore: endsBefore,
})
export type HeldIpQuery = z.infer<typeof heldIpQuery>
export type AttachedIpQuery = z.infer<typeof attachedIpQuery>

/** Body of a bulk change of the state. Missing fields keep their values. */
export const natIpsChangeInput = z
  .object({
    ...bulkSelection,
    available: z.boolean().optional(),
    quarantine: z.boolean().optional(),
    ...tagChanges,
  })
  .superRefine(requireOneSelection)
export type NatIpsChangeInput = z.infer<typeof natIpsChangeInput>

/** Body of a bulk attachment to one virtual datacenter. */
export const natIpsAttachInput = z
  .object({
    links: linksOf({
      virtualdatacenter: { path: patternOf(kinds.virtualdatacenter), missing: 'GEN-2' },
    }),
    ends: ends.optional(),
    ...bulkSelection,
  })
  .superRefine(requireOneSelection)
export type NatIpsAttachInput = z.infer<typeof natIpsAttachInput>
