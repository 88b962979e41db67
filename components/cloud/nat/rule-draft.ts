import type { FieldNames } from '#components/base/forms/form-faults'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import type { NewNatRule } from '#lib/cloud/nat/rules.queries'
import type { NatProtocol } from '#lib/cloud/nat/rules.schema'
import { linkOf } from '#lib/ground/http/view'
import type { RuleEnd } from './rule-ends'

export type Named = { id: number; name: string }
type End = { href: string; ip: string }

type Machine = Named & { href: string; privateIps: readonly End[] }

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
  originalPort: string
  translatedPort: string
}

export type RuleField = keyof RuleDraft

export const emptyRule: RuleDraft = { snat: false, protocol: 'TCP', originalPort: '', translatedPort: '' }

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

type RuleProblem = `${(typeof required)[number]}Missing` | 'portWrong' | 'portMissing'

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535

function portProblem(own: string, other: string): RuleProblem | undefined {
  if (own === '') return other === '' ? undefined : 'portMissing'
  return isPort(own) ? undefined : 'portWrong'
}

export function checkRule(draft: RuleDraft): Partial<Record<RuleField, RuleProblem>> {
  const problems: Partial<Record<RuleField, RuleProblem>> = {}
  for (const field of required) if (!draft[field]) problems[field] = `${field}Missing`
  if (draft.snat) return problems
  const original = portProblem(draft.originalPort, draft.translatedPort)
  const translated = portProblem(draft.translatedPort, draft.originalPort)
  return {
    ...problems,
    ...(original && { originalPort: original }),
    ...(translated && { translatedPort: translated }),
  }
}

/** The rule to create, of a draft that `checkRule` accepts. SNAT: from the private IP to the NAT IP. DNAT: the other way round. */
export function ruleOf(draft: RuleDraft): NewNatRule {
  const { machine, natIp, privateIp, snat, protocol, originalPort, translatedPort } = draft
  if (!machine || !natIp || !privateIp) throw new Error('The draft of a rule is incomplete')
  const [original, translated] = snat ? [privateIp, natIp] : [natIp, privateIp]
  const hasPorts = !snat && originalPort !== ''
  return {
    machine: machine.href,
    rule: {
      snat,
      ...(!snat && { protocol }),
      ...(hasPorts && { originalPort: Number(originalPort), translatedPort: Number(translatedPort) }),
      links: [
        { rel: 'original', href: original.href },
        { rel: 'translated', href: translated.href },
      ],
    },
  }
}

/** A preview of the rule, in the form of the list. */
export function draftEnds(draft: RuleDraft): { original: RuleEnd; translated: RuleEnd } {
  const port = (text: string) => (!draft.snat && isPort(text) ? Number(text) : undefined)
  const nat = { address: draft.natIp?.ip, isNatIp: true }
  const inside = { address: draft.privateIp?.ip, isNatIp: false }
  const [original, translated] = draft.snat ? [inside, nat] : [nat, inside]
  return {
    original: { ...original, port: port(draft.originalPort) },
    translated: { ...translated, port: port(draft.translatedPort) },
  }
}

/** The ends of a rule are its links, which change sides. */
export const ruleNames = ({ snat }: Pick<RuleDraft, 'snat'>): FieldNames<RuleField> =>
  snat ? { original: 'privateIp', translated: 'natIp' } : { original: 'natIp', translated: 'privateIp' }
