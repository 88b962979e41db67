import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { useEndsToken } from '#components/table/ends-token'
import { useTagToken } from '#components/table/notes'
import {
  boundToken,
  changedToken,
  foundToken,
  lookup,
  namedToken,
  type Token,
  type TokenValue,
} from '#components/table/table-tokens'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  virtualDatacenterQuery,
  virtualDatacentersQuery,
} from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import { natIpsQuery } from '#lib/cloud/nat/ips.queries'
import { natIpStates } from '#lib/cloud/nat/ips.schema'
import { natNetworkQuery, natNetworksQuery } from '#lib/cloud/nat/networks.queries'
import { natRulesQuery } from '#lib/cloud/nat/rules.queries'
import { type NatRuleDocument, natProtocols } from '#lib/cloud/nat/rules.schema'
import { type Collection, idOfLink, linkOf } from '#lib/ground/http/view'

const found = (has: string) => ({ by: 'name', has: has || undefined, limit: 20 })

/** Networks of several datacenters may have the same name. */
const nameAcross = (name: string, of: Parameters<typeof linkOf>[0]): string =>
  `${name} (${linkOf(of, 'datacenter')?.title})`

const networkToken = (label: string, datacenter: number | undefined): Token<'network'> =>
  datacenter === undefined
    ? {
        key: 'network',
        label,
        search: (text) =>
          lookup(natNetworksQuery(undefined, found(text)), ({ collection }) =>
            collection.map((network) => ({
              value: String(network.id),
              label: nameAcross(network.name, network),
            })),
          ),
        // The API reads a network by its datacenter alone, but lists the IPs of any network.
        name: (id) =>
          lookup(
            natIpsQuery(undefined, undefined, { network: Number(id), all: true, limit: 1 }),
            ({ collection: [ip] }) => (ip ? nameAcross(ip.networkName, ip) : id),
          ),
      }
    : foundToken(
        { key: 'network', label },
        {
          list: (has) => natNetworksQuery(datacenter, found(has)),
          one: (id) => natNetworkQuery(datacenter, id),
        },
      )

const virtualDatacenterToken = (label: string, datacenter: number | undefined) =>
  foundToken(
    { key: 'virtualdatacenter', label },
    {
      list: (has) => virtualDatacentersQuery({ ...found(has), datacenter }),
      one: virtualDatacenterQuery,
    },
  )

/** The filter of lists over all datacenters, for users who may list datacenters. */
export function useDatacenterTokens(datacenter: number | undefined): Token<'datacenter'>[] {
  const label = useTranslations('labels')
  const mayFind = useMay(...access.datacenters)
  return datacenter === undefined && mayFind
    ? [namedToken('datacenter', label('datacenter'), 'datacenter')]
    : []
}

/** Filters for the list of IPs, limited to values that the user is allowed to search. */
export function useIpTokens(datacenter: number | undefined, { withNetwork }: { withNetwork: boolean }) {
  const say = useTranslations('nat.ips')
  const states = useTranslations('nat.states')
  const label = useTranslations('labels')
  const mayFindEnterprises = useMay(...access.enterprises)
  const mayFindCenters = useMay(...kinds.virtualdatacenter.readers)
  const yes = { value: 'true', label: say('yes') }
  return [
    { key: 'address' as const, label: say('ip'), containing: 'ip' as const, range: 'within' as const },
    {
      key: 'state' as const,
      label: label('state'),
      values: natIpStates.map((value) => ({ value, label: states(value) })),
    },
    { key: 'snatdefault' as const, label: label('defaultSnat'), values: [yes] },
    boundToken('rules', label('rules'), ['>0', '>10', '>100', '<1']),
    changedToken(label('changed')),
    useEndsToken(),
    useTagToken(),
    ...useDatacenterTokens(datacenter),
    ...(withNetwork ? [networkToken(label('network'), datacenter)] : []),
    ...(mayFindCenters ? [virtualDatacenterToken(label('virtualdatacenter'), datacenter)] : []),
    ...(mayFindEnterprises ? [namedToken('enterprise', label('enterprise'), 'enterprise')] : []),
  ]
}

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

/** Machines are found among those of the rules: the API lists them only per virtual appliance. */
const machineToken = (
  label: string,
  datacenter: number | undefined,
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

export function useTypeToken(): Token<'snat'> {
  const label = useTranslations('labels')
  return {
    key: 'snat',
    label: label('type'),
    values: [
      { value: 'true', label: 'SNAT' },
      { value: 'false', label: 'DNAT' },
    ],
  }
}

/** Filters for the list of rules, limited to values that the user is allowed to search. */
export function useRuleTokens(datacenter: number | undefined, network: number | undefined) {
  const say = useTranslations('nat.rules')
  const label = useTranslations('labels')
  const type = useTypeToken()
  const mayFindEnterprises = useMay(...access.enterprises)
  return [
    { key: 'within' as const, label: say('natIp'), range: 'within' as const },
    type,
    {
      key: 'protocol' as const,
      label: label('protocol'),
      values: natProtocols.map((value) => ({ value, label: value })),
    },
    {
      key: 'enabled' as const,
      label: say('stateFilter'),
      values: [
        { value: 'true', label: say('enabled') },
        { value: 'false', label: say('disabled') },
      ],
    },
    ...useDatacenterTokens(datacenter),
    ...(network === undefined ? [networkToken(label('network'), datacenter)] : []),
    machineToken(label('virtualmachine'), datacenter, network),
    changedToken(label('changed')),
    useTagToken(),
    useEndsToken(),
    ...(mayFindEnterprises ? [namedToken('enterprise', label('enterprise'), 'enterprise')] : []),
  ]
}
