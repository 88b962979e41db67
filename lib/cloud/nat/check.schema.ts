import { z } from 'zod'
import { flag, pageQuery, queryId } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

export const natSeverities = ['error', 'warning', 'info'] as const
export type NatSeverity = (typeof natSeverities)[number]

/** Every finding with its severity (docs/api/nat-check.md, "Is this NAT sound"). The numbers never change. */
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
  'NATCHECK-11': 'info',
  'NATCHECK-12': 'warning',
} as const satisfies Record<string, NatSeverity>

export type NatFindingCode = keyof typeof natFindingSeverities
export const natFindingCodes = Object.keys(natFindingSeverities) as [NatFindingCode, ...NatFindingCode[]]

/** What a finding is about: ids whose kinds depend on its code, 0 for none. */
export type FindingIds = { id: number; other: number; third: number }

/** The key of a finding: `NATCHECK-9.17`. */
export const findingKey = (
  code: NatFindingCode,
  { id, other = 0, third = 0 }: Pick<FindingIds, 'id'> & Partial<FindingIds>,
): string => [code, id, ...(other || third ? [other] : []), ...(third ? [third] : [])].join('.')

/** The code and the ids in a key, or undefined. */
export function inFindingKey(key: string): { code: NatFindingCode; ids: FindingIds } | undefined {
  const [, name, id, other = 0, third = 0] =
    /^(NATCHECK-\d+)\.([1-9]\d{0,14})(?:\.([1-9]\d{0,14}))?(?:\.([1-9]\d{0,14}))?$/.exec(key) ?? []
  const code = natFindingCodes.find((each) => each === name)
  return code && { code, ids: { id: Number(id), other: Number(other), third: Number(third) } }
}

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

/** The rule of a finding in short. Ports that are missing are all ports. */
const findingRule = z.object({
  snat: z.boolean(),
  protocol: z.string().optional(),
  originalPort: z.int().optional(),
  originalPortEnd: z.int().optional(),
  translatedPort: z.int().optional(),
})
export type FindingRule = z.infer<typeof findingRule>

/** A rule or an address in the NAT of a datacenter that has no effect, or not the one it seems to have. */
export const natFindingDocument = z.object({
  links,
  identity: z.string().meta({
    description: 'The same for the same finding, to set it aside with',
    example: 'NATCHECK-9.17',
  }),
  code,
  severity,
  message: z.string().meta({ description: 'What is wrong, and what follows from it' }),
  rule: findingRule.optional().meta({ description: 'Of a finding about a rule' }),
  fix: natFix.optional().meta({ description: 'Missing: no single request mends it' }),
  setAside: z
    .object({ links, reason: z.string(), until: z.iso.date().meta({ example: '2026-12-31' }) })
    .optional()
    .meta({ description: 'Why the finding is set aside, until when and by whom. Missing: it is not' }),
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
  setaside: flag('setaside')
    .optional()
    .meta({ description: 'true: only the findings that are set aside; otherwise those are left out' }),
  network,
}

/** `severity`: errors first. */
export const natCheckQuery = pageQuery('severity', 'code').extend(filters)
export type NatCheckQuery = z.infer<typeof natCheckQuery>

export const natCheckCountsQuery = z.object({ network })
export type NatCheckCountsQuery = z.infer<typeof natCheckCountsQuery>

/** The numbers of findings without those that are set aside, which `setAside` counts. `codes` has only codes with findings. */
export const natFindingCounts = z.object({
  links,
  error: z.int(),
  warning: z.int(),
  info: z.int(),
  setAside: z.int(),
  codes: z.array(z.object({ code, severity, count: z.int() })),
})
export type NatFindingCounts = z.infer<typeof natFindingCounts>

/** The numbers of findings of a datacenter. `id` and `name` are the datacenter's. */
export const natCheckDocument = natFindingCounts
  .omit({ codes: true })
  .extend({ id: z.int(), name: z.string() })
export type NatCheckDocument = z.infer<typeof natCheckDocument>
