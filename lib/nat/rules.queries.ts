import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, invalidateBelow, type Query } from '#lib/client/resources.queries'
import { linkOf } from '#lib/http/view'
import { natIpPath } from './ips.queries'
import { natChanged, natNetworkPath, natNetworksPath } from './networks.queries'
import type { NatProtocol, NatRuleDocument } from './rules.schema'

/** The list of the rules of one network, or of all networks of the datacenter. */
export const natRulesPath = (datacenter: number, network: number | undefined): string =>
  network === undefined
    ? `${natNetworksPath(datacenter)}/action/allrules`
    : `${natNetworkPath(datacenter, network)}/rules`

/** `query` may have the fields of `datacenterRuleQuery`. */
export const natRulesQuery = (datacenter: number, network: number | undefined, query: Query) =>
  collectionQuery<NatRuleDocument>(natRulesPath(datacenter, network), query)

export const natIpRulesPath = (datacenter: number, network: number, ip: number): string =>
  `${natIpPath(datacenter, network, ip)}/rules`

export const natIpRulesQuery = (datacenter: number, network: number, ip: number, query: Query) =>
  collectionQuery<NatRuleDocument>(natIpRulesPath(datacenter, network, ip), query)

/** A rule to create. `natIp` and `privateIp` are the `href`s of their documents. */
export type NewNatRule = { natIp: string; privateIp: string } & (
  | { snat: true }
  | {
      snat: false
      protocol: NatProtocol
      /** If absent, the rule is for all ports. */
      ports?: { original: number; translated: number } | undefined
    }
)

/** SNAT: from the private IP to the NAT IP. DNAT: the other way round. */
function natRuleBody(rule: NewNatRule) {
  const [original, translated] = rule.snat ? [rule.privateIp, rule.natIp] : [rule.natIp, rule.privateIp]
  const links = [
    { rel: 'original', href: original },
    { rel: 'translated', href: translated },
  ]
  if (rule.snat) return { snat: true, links }
  const { protocol, ports } = rule
  return {
    snat: false,
    protocol,
    ...(ports && { originalPort: ports.original, translatedPort: ports.translated }),
    links,
  }
}

const pathOf = (href: string): string => new URL(href, window.location.origin).pathname

async function rulesChanged(client: QueryClient, datacenter: number, machine: string): Promise<void> {
  await natChanged(client, datacenter)
  await invalidateBelow(client, [machine])
}

/** `machine` is the `href` of the virtual machine. */
export function useCreateNatRule(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ machine, rule }: { machine: string; rule: NewNatRule }) =>
      api<NatRuleDocument>(`${pathOf(machine)}/natrules`, { method: 'POST', body: natRuleBody(rule) }),
    onSuccess: (_, { machine }) => rulesChanged(client, datacenter, pathOf(machine)),
  })
}

/** A rule without a link to itself belongs to a hidden machine: the caller cannot delete it. */
export const isRemovable = (rule: NatRuleDocument): boolean => linkOf(rule, 'self') !== undefined

export const deleteNatRule = (rule: NatRuleDocument): Promise<void> =>
  api(pathOf(linkOf(rule, 'self')?.href ?? ''), { method: 'DELETE' })

export function useRemoveNatRule(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: deleteNatRule,
    onSuccess: (_, rule) =>
      rulesChanged(client, datacenter, pathOf(linkOf(rule, 'virtualmachine')?.href ?? '')),
  })
}
