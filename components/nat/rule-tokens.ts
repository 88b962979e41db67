import { useTranslations } from 'use-intl'
import { access } from '#components/access'
import { useMay } from '#components/session/session'
import { lookup, type Token, type TokenValue } from '#components/table/table-tokens'
import { type Collection, idOfLink, linkOf } from '#lib/http/view'
import { natRulesQuery } from '#lib/nat/rules.queries'
import type { NatRuleDocument } from '#lib/nat/rules.schema'
import { enterpriseToken, networkToken } from './ip-tokens'

/** The machines that these rules are about. */
function machinesOf({ collection }: Collection<NatRuleDocument>): TokenValue[] {
  const machines = new Map<string, string>()
  for (const rule of collection) {
    const link = linkOf(rule, 'virtualmachine')
    const id = idOfLink(link)
    if (link?.title !== undefined && id !== undefined) machines.set(String(id), link.title)
  }
  return [...machines].map(([value, label]) => ({ value, label }))
}

const rulesRead = 50

/** The machines that have rules here: no list has the machines of all virtual datacenters. */
const machineToken = (
  label: string,
  datacenter: number,
  network: number | undefined,
): Token<'virtualmachine'> => ({
  key: 'virtualmachine',
  label,
  search: (text) =>
    lookup(
      natRulesQuery(datacenter, network, { by: 'virtualmachine', has: text || undefined, limit: rulesRead }),
      (rules) =>
        machinesOf(rules).filter((machine) => machine.label.toLowerCase().includes(text.toLowerCase())),
    ),
  name: (id) =>
    lookup(
      natRulesQuery(datacenter, network, { virtualmachine: Number(id), limit: 1 }),
      (rules) => machinesOf(rules).find(({ value }) => value === id)?.label ?? id,
    ),
})

const protocols = ['TCP', 'UDP', 'ANY'].map((value) => ({ value, label: value }))

export function useTypeToken(): Token<'snat'> {
  const say = useTranslations('nat.rules')
  return {
    key: 'snat',
    label: say('type'),
    values: [
      { value: 'true', label: 'SNAT' },
      { value: 'false', label: 'DNAT' },
    ],
  }
}

/** What a list of rules may be narrowed by, as far as the reader may look it up. */
export function useRuleTokens(datacenter: number, network: number | undefined) {
  const say = useTranslations('nat.rules')
  const type = useTypeToken()
  const mayFindEnterprises = useMay(...access.enterprises)
  return [
    type,
    { key: 'protocol' as const, label: say('protocol'), values: protocols },
    ...(network === undefined ? [networkToken(say('network'), datacenter)] : []),
    machineToken(say('virtualMachine'), datacenter, network),
    ...(mayFindEnterprises ? [enterpriseToken(say('enterprise'))] : []),
  ]
}
