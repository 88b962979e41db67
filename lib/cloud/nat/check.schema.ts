import { z } from 'zod'
import { pageQuery, queryId } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

export const natSeverities = ['error', 'warning', 'info'] as const
export type NatSeverity = (typeof natSeverities)[number]

/** Every finding with its severity (docs/api.md, "Is this NAT sound"). The numbers never change. */
export const natFindingSeverities = {
  'NATCHECK-1': 'error',
  'NATCHECK-2': 'error',
  'NATCHECK-3': 'error',
  'NATCHECK-4': 'error',
  'NATCHECK-5': 'error',
  'NATCHECK-6': 'info',
  'NATCHECK-7': 'info',
  'NATCHECK-8': 'warning',
  'NATCHECK-9': 'warning',
  'NATCHECK-10': 'error',
  'NATCHECK-12': 'warning',
} as const satisfies Record<string, NatSeverity>

export type NatFindingCode = keyof typeof natFindingSeverities
export const natFindingCodes = Object.keys(natFindingSeverities) as [NatFindingCode, ...NatFindingCode[]]

const code = z.enum(natFindingCodes)
const severity = z.enum(natSeverities)

/** One request that fixes the finding. */
const natFix = z.object({
  method: z.enum(['POST', 'PUT', 'DELETE']),
  href: z.string().meta({ description: 'The absolute address of the request' }),
  type: z.string().optional().meta({ description: 'The media type of the document' }),
  document: z
    .object({
      available: z.boolean().optional(),
      quarantine: z.boolean().optional(),
      numips: z.int().optional(),
    })
    .optional()
    .meta({ description: 'The body of the request. Missing: it has none' }),
})
export type NatFix = z.infer<typeof natFix>

/** A rule or an address in the NAT of a datacenter that has no effect, or not the one it seems to have. */
export const natFindingDocument = z.object({
  links,
  code,
  severity,
  message: z.string().meta({ description: 'What is wrong, and what follows from it' }),
  fix: natFix.optional().meta({ description: 'Missing: no single request mends it' }),
})
export type NatFinding = z.infer<typeof natFindingDocument>

const network = queryId('network')
  .optional()
  .meta({ description: 'Only the findings about this NAT network, its IPs, its rules or its device' })

const filters = {
  code: z
    .enum(natFindingCodes, `code must be one of ${natFindingCodes.join(', ')}`)
    .optional()
    .meta({ description: 'Only the findings with this code' }),
  severity: z
    .enum(natSeverities, `severity must be one of ${natSeverities.join(', ')}`)
    .optional()
    .meta({ description: 'Only the findings of this severity' }),
  network,
}

/** `severity`: errors first. */
export const natCheckQuery = pageQuery('severity', 'code').extend(filters)
export type NatCheckQuery = z.infer<typeof natCheckQuery>

export const natCheckCountsQuery = z.object({ network })
export type NatCheckCountsQuery = z.infer<typeof natCheckCountsQuery>

/** The numbers of findings. `codes` has only codes with findings. */
export const natFindingCounts = z.object({
  links,
  error: z.int(),
  warning: z.int(),
  info: z.int(),
  codes: z.array(z.object({ code, severity, count: z.int() })),
})
export type NatFindingCounts = z.infer<typeof natFindingCounts>
