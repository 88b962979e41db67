import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted, tagChanges } from '#lib/caller/kinds/notes.schema'
import { ruleStates } from '#lib/cloud/translations/translations.schema'
import { clientNetwork } from '#lib/ground/http/client-network'
import { ends, endsBefore, endsShown } from '#lib/ground/http/ends.schema'
import type { ErrorCode } from '#lib/ground/http/errors'
import { shown, wanted } from '#lib/ground/http/fields.schema'
import { coded, idInHref } from '#lib/ground/http/input.schema'
import { changed, flag, pageQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { links } from '#lib/ground/http/view'
import { formatCidr, parseCidr, rangeText } from '#lib/ground/net/addresses'
import { bulkSelection, requireOneSelection } from '#lib/record/bulk/bulk.schema'

/**
 * SNAT: original is the private IP, translated the NAT IP, without ports and protocol. DNAT: original is the NAT IP, translated the
 * private IP; without ports the rule covers all ports.
 */
export const natRuleDocument = z.object({
  links,
  id: z.int(),
  snat: z.boolean(),
  protocol: z.enum(['TCP', 'UDP', 'ANY']).optional(),
  originalPort: z.int().optional(),
  originalPortEnd: z.int().optional(),
  translatedPort: z.int().optional(),
  sources: z.array(z.string()).optional(),
  enabled: z.boolean().meta({ description: 'The gateway carries enabled rules alone' }),
  ends: endsShown,
  deviceState: z
    .enum(ruleStates)
    .optional()
    .meta({ description: 'What the gateway of the device reported about the rule; missing in the past' }),
  packets: z
    .int()
    .optional()
    .meta({ description: 'Connections and datagram flows that the rule translated' }),
  bytes: z.int().optional().meta({ description: 'The bytes of their first packets' }),
  ...shown(noted),
})
export type NatRuleDocument = z.infer<typeof natRuleDocument>

export const natRuleOrders = [
  'ip',
  'protocol',
  'originalport',
  'translatedport',
  'snat',
  'virtualmachine',
] as const

export const allNatRuleOrders = [...natRuleOrders, 'datacenter'] as const

const snat = flag('snat').optional()

export const natProtocols = ['TCP', 'UDP', 'ANY'] as const
export type NatProtocol = (typeof natProtocols)[number]

export const LAST_PORT = 65_535

/** The protocol and the ports of `TCP:2000-2999`, `TCP:80` or `TCP`. Without ports all of them, 0 being a rule without ports. */
export function portsWanted(text: string): { protocol: string; first: number; last: number } {
  const [protocol = '', first, last = first] = text.split(/[:-]/)
  return { protocol, first: Number(first ?? 0), last: Number(last ?? LAST_PORT) }
}

const isInOrder = (text: string): boolean => {
  const { first, last } = portsWanted(text)
  return first <= last && last <= LAST_PORT
}

const overlapsWhat = 'overlaps must be like TCP:2000-2999, TCP:80 or ANY'

const overlaps = z
  .string()
  .regex(/^(TCP|UDP|ANY)(:[1-9]\d{0,4}(-[1-9]\d{0,4})?)?$/, overlapsWhat)
  .refine(isInOrder, overlapsWhat)
  .optional()
  .meta({
    description:
      'Only DNAT rules that overlap this protocol and these ports: `TCP:2000-2999`, `TCP:80`, or all ports, `TCP`. `ANY` is every protocol',
  })

const shortQuery = pageQuery(...natRuleOrders).extend({ snat, tag })

/** Query for the rules of one NAT IP or one virtual machine. */
export const ruleQuery = shortQuery.extend({ overlaps })

const protocol = z
  .enum(natProtocols, `protocol must be one of ${natProtocols.join(', ')}`)
  .optional()
  .meta({ description: 'Only DNAT rules of this protocol' })

const enabled = flag('enabled').optional().meta({ description: 'Only enabled rules, or only disabled ones' })

/** Of the NAT IP. */
const within = rangeText('within', 'Only rules of NAT IPs in this range').optional()

const holders = {
  changed,
  enterprise: queryId('enterprise')
    .optional()
    .meta({ description: 'Only rules of virtual machines of this enterprise' }),
  virtualmachine: queryId('virtualmachine')
    .optional()
    .meta({ description: 'Only rules of this virtual machine' }),
}

const network = queryId('network').optional().meta({ description: 'Only rules of this NAT network' })

/** Query for the rules of one network. */
export const networkRuleQuery = shortQuery.extend({
  protocol,
  enabled,
  within,
  endsbefore: endsBefore,
  ...holders,
})

/** Query for the rules of a datacenter. */
export const datacenterRuleQuery = shortQuery.extend({
  protocol,
  enabled,
  within,
  endsbefore: endsBefore,
  network,
  ...holders,
})

/** Query for the rules of all visible datacenters. */
export const allRuleQuery = pageQuery(...allNatRuleOrders).extend({
  snat,
  tag,
  protocol,
  enabled,
  within,
  endsbefore: endsBefore,
  datacenter: queryId('datacenter')
    .optional()
    .meta({ description: 'Only rules of this datacenter: none if the caller does not see it' }),
  network,
  ...holders,
})
/** The fields of every list of rules. */
export type RuleQuery = z.infer<typeof allRuleQuery> & { overlaps?: string | undefined }

/** Body of a bulk change. */
export const natRulesChangeInput = z
  .object({ ...bulkSelection, enabled: z.boolean().optional(), ...tagChanges })
  .superRefine(requireOneSelection)
export type NatRulesChangeInput = z.infer<typeof natRulesChangeInput>

/** The resource that a link of a rule names. */
type RuleEnd = { kind: 'natip' | 'privateip'; id: number }

const endPaths = {
  natip: [patternOf(kinds.natip), '/cloud/virtualdatacenters/:virtualdatacenter/natips/:id'],
  privateip: [patternOf(kinds.privateip)],
}

function endOf(href: string): RuleEnd | undefined {
  for (const kind of ['natip', 'privateip'] as const) {
    for (const path of endPaths[kind]) {
      const id = idInHref(href, path)
      if (id) return { kind, id }
    }
  }
  return undefined
}

const isEnd = (rel: string): rel is 'original' | 'translated' => rel === 'original' || rel === 'translated'

type Ends = { original?: RuleEnd | undefined; translated?: RuleEnd | undefined }

/** The links `original` and `translated`. Missing links and links of another kind are reported for the whole rule. */
const ruleLinks = z
  .unknown()
  .optional()
  .transform((links, context): Ends => {
    const ends: Ends = {}
    const refuse = (code: 'GEN-3' | 'LINK-0' | 'LINK-1', message?: string, rel?: string) =>
      context.addIssue({ code: 'custom', ...coded(code, message, rel), input: links })
    if (links !== undefined && links !== null && !Array.isArray(links))
      refuse('GEN-3', 'links must be a list')
    for (const link of Array.isArray(links) ? (links as unknown[]) : []) {
      const { rel, href } = (typeof link === 'object' && link !== null ? link : {}) as Record<string, unknown>
      if (typeof rel !== 'string' || rel === '') refuse('LINK-0')
      else if (typeof href !== 'string' || href === '')
        refuse('LINK-1', undefined, isEnd(rel) ? rel : undefined)
      else if (isEnd(rel)) ends[rel] = endOf(href)
    }
    return ends
  })
  .meta({
    type: 'array',
    items: { $ref: '#/components/schemas/link' },
    description:
      'SNAT: `original` is a private IP and `translated` a NAT IP; DNAT: the other way round. Others are ignored.',
    example: [
      { rel: 'original', href: 'https://cloud.example.com/api/cloud/virtualdatacenters/1/natips/1' },
      { rel: 'translated', href: 'https://cloud.example.com/api/cloud/virtualdatacenters/1/privateips/1' },
    ],
  })

const port = z.int().min(1).max(LAST_PORT).optional()

const MOST_SOURCES = 50

/** What may change while a rule stays the same: the schema of lib/cloud/nat/rule-settings.server.ts. */
export const ruleSettings = {
  originalPort: port,
  originalPortEnd: port.meta({
    description:
      'The last port of a range that begins with `originalPort`, of TCP or UDP. If `translatedPort` is `originalPort`, each port stays as it is; otherwise all become `translatedPort`',
  }),
  translatedPort: port,
  sources: z
    .array(clientNetwork('NAT-RULE-17'))
    .max(MOST_SOURCES, `must have ${MOST_SOURCES} entries at most`)
    .optional()
    .meta({
      description:
        'CIDRs of the clients that a DNAT rule is for, of the family of the NAT IP. Empty: all clients. Missing: a new rule is for all, another one stays as it is',
    }),
  enabled: z.boolean().optional().meta({
    description: 'Missing: a new rule is enabled, another one stays as it is',
  }),
  ends: ends.optional(),
  /** Missing ones stay. */
  ...wanted(noted),
}

const ruleFields = z.object({
  snat: z.boolean(),
  protocol: z
    .string()
    .transform((value) => value.toUpperCase())
    .optional()
    .meta({ enum: natProtocols }),
  ...ruleSettings,
  links: ruleLinks,
})

type Settings = Pick<z.infer<typeof ruleFields>, 'protocol' | 'originalPort' | 'originalPortEnd'>

/** Why the ports are no range. */
function rangeFault({ protocol, originalPort, originalPortEnd }: Settings): string | undefined {
  if (originalPortEnd === undefined) return undefined
  if (originalPort === undefined) return 'A range of ports needs its first port'
  if (protocol === 'ANY') return 'A range of ports needs TCP or UDP'
  return originalPortEnd > originalPort
    ? undefined
    : `The last port of a range must be greater than its first, ${originalPort}`
}

/** The first network that another one has: a gateway carries each address once. */
function insideAnother(sources: readonly string[]): string | undefined {
  const cidrs = sources.flatMap((source) => parseCidr(source) ?? [])
  for (const [index, one] of cidrs.entries()) {
    const other = cidrs.find(
      (each, place) =>
        place !== index &&
        each.version === one.version &&
        each.first <= one.first &&
        one.last <= each.last &&
        (each.prefix < one.prefix || place < index),
    )
    if (other) return `The source ${formatCidr(one)} is in ${formatCidr(other)} already`
  }
  return undefined
}

/** Reports all faults of a rule at once. */
export const natRuleInput = ruleFields.superRefine((rule, context) => {
  const refuse = (issue: ReturnType<typeof coded>) =>
    context.addIssue({ code: 'custom', ...issue, input: rule })
  const { snat, protocol, originalPort, originalPortEnd, translatedPort, sources = [], links } = rule
  const [original, translated] = snat ? ['privateip', 'natip'] : ['natip', 'privateip']
  if (links.original?.kind !== original) refuse(coded('NAT-RULE-1', undefined, 'original'))
  if (links.translated?.kind !== translated) refuse(coded('NAT-RULE-2', undefined, 'translated'))
  if (snat) {
    if (protocol !== undefined || originalPort !== undefined || translatedPort !== undefined)
      refuse(coded('NAT-RULE-15', undefined, 'snat'))
    if (originalPortEnd !== undefined) refuse(coded('NAT-RULE-16', undefined, 'originalPortEnd'))
    if (sources.length > 0) refuse(coded('NAT-RULE-17', 'A SNAT rule has no sources', 'sources'))
    return
  }
  if ((originalPort === undefined) !== (translatedPort === undefined))
    refuse(coded('NAT-RULE-10', undefined, originalPort === undefined ? 'originalPort' : 'translatedPort'))
  if (protocol === undefined) refuse(coded('CONSTR-NOTNULL', 'protocol: must not be missing', 'protocol'))
  else if (!isProtocol(protocol)) refuse(coded('NAT-RULE-13', undefined, 'protocol'))
  const range = rangeFault(rule)
  if (range !== undefined) refuse(coded('NAT-RULE-16', range, 'originalPortEnd'))
  const inside = insideAnother(sources)
  if (inside !== undefined) refuse(coded('NAT-RULE-17', inside, 'sources'))
})
export type NatRuleInput = z.infer<typeof natRuleInput>

export const isProtocol = (word: string): word is NatProtocol =>
  (natProtocols as readonly string[]).includes(word)

/** The errors of a change besides those of its fields. */
export const natRuleUpdateRefusals = [
  'ENDS-1',
  'NAT-RULE-1',
  'NAT-RULE-2',
  'NAT-RULE-3',
  'NAT-RULE-10',
  'NAT-RULE-13',
  'NAT-RULE-15',
  'NAT-RULE-16',
  'NAT-RULE-17',
  'NAT-RULE-18',
  'LINK-0',
  'LINK-1',
] as const satisfies ErrorCode[]

/** The errors of a new rule besides those of its fields. */
export const natRuleRefusals = [
  'ENDS-1',
  'NAT-RULE-1',
  'NAT-RULE-2',
  'NAT-RULE-3',
  'NAT-RULE-10',
  'NAT-RULE-11',
  'NAT-RULE-12',
  'NAT-RULE-13',
  'NAT-RULE-14',
  'NAT-RULE-15',
  'NAT-RULE-16',
  'NAT-RULE-17',
  'NAT-RULE-18',
  'NAT-IP-0',
  'NAT-IP-8',
  'PRIVATEIP-0',
  'LINK-0',
  'LINK-1',
] as const satisfies ErrorCode[]
