import type { FieldNames } from '#components/base/forms/form-faults'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import type { NewNatRule } from '#lib/cloud/nat/rules.queries'
import type { NatProtocol, NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { linkOf } from '#lib/ground/http/view'
import { portsText } from '#lib/ground/net/endpoints'
import { type RuleEnd, translatedEnd } from './rule-ends'

export type Named = { id: number; name: string }
type End = { href: string; ip: string }

type Machine = Named & { href: string; privateIps: readonly End[] }

/** The settings of a rule as they are typed. */
export type SettingsDraft = {
  /** A port, a range such as 2000-2999, or empty: all ports. */
  originalPort: string
  translatedPort: string
  /** Empty: everybody. */
  sources: readonly string[]
}

export type RuleDraft = {
  /** Where the user has chosen it. */
  datacenter?: Named | undefined
  center?: Named | undefined
  appliance?: Named | undefined
  machine?: Machine | undefined
  snat: boolean
  privateIp?: End | undefined
  natIp?: End | undefined
  protocol: NatProtocol
  description: string
  tags: readonly string[]
  ends: string
} & SettingsDraft

export type RuleField = keyof RuleDraft

export const emptyRule: RuleDraft = {
  snat: false,
  protocol: 'TCP',
  originalPort: '',
  translatedPort: '',
  sources: [],
  ...{ description: '', tags: [], ends: '' },
}

/** The settings of a stored rule. */
export const settingsDraftOf = (rule: NatRuleDocument): SettingsDraft => ({
  originalPort: [rule.originalPort, rule.originalPortEnd].filter((port) => port !== undefined).join('-'),
  translatedPort: rule.translatedPort?.toString() ?? '',
  sources: rule.sources ?? [],
})

export function machineOf(machine: VirtualMachineDocument): Machine {
  const privateIps = machine.links
    .filter(({ rel }) => /^nic\d+$/.test(rel))
    .map(({ href, title = '' }) => ({ href, ip: title }))
  return { id: machine.id, name: machine.name, href: linkOf(machine, 'edit')?.href ?? '', privateIps }
}

/** Selects the private IP of a machine that has only one. */
export const withMachine = (machine: Machine) => ({
  machine,
  privateIp: machine.privateIps.length === 1 ? machine.privateIps[0] : undefined,
})

const required = ['center', 'appliance', 'machine', 'privateIp', 'natIp'] as const

type RuleProblem = `${(typeof required)[number]}Missing` | PortProblem
type PortProblem = 'portWrong' | 'portMissing' | 'portsWrong' | 'rangeWrong' | 'rangeOfAny'

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535

/** The ports of `2000` or `2000-2999`; none if the text is neither. */
function portsIn(text: string): { first?: number; last?: number } {
  const [first = '', last, ...rest] = text.split(/[-–]/).map((port) => port.trim())
  if (!isPort(first) || rest.length > 0 || (last !== undefined && !isPort(last))) return {}
  return { first: Number(first), ...(last !== undefined && { last: Number(last) }) }
}

function originalProblem(
  { originalPort, translatedPort }: SettingsDraft,
  protocol: NatProtocol | undefined,
): PortProblem | undefined {
  if (originalPort === '') return translatedPort === '' ? undefined : 'portMissing'
  const { first, last } = portsIn(originalPort)
  if (first === undefined) return 'portsWrong'
  if (last === undefined) return undefined
  if (protocol === 'ANY') return 'rangeOfAny'
  return last > first ? undefined : 'rangeWrong'
}

function translatedProblem({ originalPort, translatedPort }: SettingsDraft): PortProblem | undefined {
  if (translatedPort === '') return originalPort === '' ? undefined : 'portMissing'
  return isPort(translatedPort) ? undefined : 'portWrong'
}

export function checkSettings(
  draft: SettingsDraft,
  protocol: NatProtocol | undefined,
): Partial<Record<'originalPort' | 'translatedPort', PortProblem>> {
  const [original, translated] = [originalProblem(draft, protocol), translatedProblem(draft)]
  return {
    ...(original && { originalPort: original }),
    ...(translated && { translatedPort: translated }),
  }
}

/** The ports of the draft as the filter `overlaps` takes them; undefined if there is a problem with them. */
export function overlapsOf(draft: SettingsDraft, protocol: NatProtocol = 'ANY'): string | undefined {
  if (originalProblem(draft, protocol)) return undefined
  const { first, last } = portsIn(draft.originalPort)
  return first === undefined ? protocol : `${protocol}:${portsText(first, last)}`
}

export function checkRule(draft: RuleDraft): Partial<Record<RuleField, RuleProblem>> {
  const problems: Partial<Record<RuleField, RuleProblem>> = {}
  for (const field of required) if (!draft[field]) problems[field] = `${field}Missing`
  return draft.snat ? problems : { ...problems, ...checkSettings(draft, draft.protocol) }
}

/** The settings to send, of a draft that `checkSettings` accepts. */
export function settingsOf({ originalPort, translatedPort, sources }: SettingsDraft) {
  const { first, last } = portsIn(originalPort)
  return {
    ...(first !== undefined && { originalPort: first, translatedPort: Number(translatedPort) }),
    ...(last !== undefined && { originalPortEnd: last }),
    sources: [...sources],
  }
}

/** The rule to create without its notes and its end, of a draft that `checkRule` accepts. SNAT: from the private IP to the NAT IP. DNAT: the other way round. */
export function ruleOf(draft: RuleDraft): NewNatRule {
  const { machine, natIp, privateIp, snat, protocol } = draft
  if (!machine || !natIp || !privateIp) throw new Error('The draft of a rule is incomplete')
  const [original, translated] = snat ? [privateIp, natIp] : [natIp, privateIp]
  return {
    machine: machine.href,
    rule: {
      snat,
      ...(!snat && { protocol, ...settingsOf(draft) }),
      links: [
        { rel: 'original', href: original.href },
        { rel: 'translated', href: translated.href },
      ],
    },
  }
}

/** A preview of the rule, in the form of the list. */
export function draftEnds(draft: RuleDraft): { original: RuleEnd; translated: RuleEnd } {
  const { first: originalPort, last: originalPortEnd } = draft.snat ? {} : portsIn(draft.originalPort)
  const translatedPort = draft.snat ? undefined : portsIn(draft.translatedPort).first
  const outer = { port: originalPort, portEnd: originalPortEnd }
  const portEnd = translatedEnd({ originalPort, originalPortEnd, translatedPort })
  const nat = { address: draft.natIp?.ip, isNatIp: true }
  const inside = { address: draft.privateIp?.ip, isNatIp: false }
  const [original, translated] = draft.snat ? [inside, nat] : [nat, inside]
  return { original: { ...original, ...outer }, translated: { ...translated, port: translatedPort, portEnd } }
}

/** The ends of a rule are its links, which change sides. */
export const ruleNames = ({ snat }: Pick<RuleDraft, 'snat'>): FieldNames<RuleField> =>
  snat
    ? { original: 'privateIp', translated: 'natIp' }
    : { original: 'natIp', translated: 'privateIp', originalPortEnd: 'originalPort' }
