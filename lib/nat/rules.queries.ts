import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, isAtOrBelow, type Query } from '#lib/client/resources.queries'
import { linkOf } from '#lib/http/view'
import { natIpPath } from './ips.queries'
import { natChanged, natNetworkPath, natNetworksPath } from './networks.queries'
import type { NatProtocol, NatRuleDocument } from './rules.schema'

/** The NAT rules of one network, or of all networks of the datacenter; `query` may hold what `datacenterRuleQuery` does. */
export const natRulesQuery = (datacenter: number, network: number | undefined, query: Query) =>
  collectionQuery<NatRuleDocument>(
    network === undefined
      ? `${natNetworksPath(datacenter)}/action/allrules`
      : `${natNetworkPath(datacenter, network)}/rules`,
    query,
  )

/** A rule as it is sent; `natIp` and `privateIp` are the addresses of their documents. */
export type NewNatRule = { natIp: string; privateIp: string } & (
  | { snat: true }
  | {
      snat: false
      protocol: NatProtocol
      /** Without ports all of them. */
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

/** The path of an address that a link gives. */
const pathOf = (href: string): string => new URL(href, window.location.origin).pathname

async function rulesChanged(client: QueryClient, datacenter: number, machine: string): Promise<void> {
  await natChanged(client, datacenter)
  await client.invalidateQueries({ predicate: ({ queryKey }) => isAtOrBelow(queryKey, machine) })
}

/** `machine`: the address of the virtual machine, as links give it. */
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

export function useRemoveNatRule(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (rule: NatRuleDocument) =>
      api<void>(pathOf(linkOf(rule, 'self')?.href ?? ''), { method: 'DELETE' }),
    onSuccess: (_, rule) =>
      rulesChanged(client, datacenter, pathOf(linkOf(rule, 'virtualmachine')?.href ?? '')),
  })
}

/** Where the rules of one network are listed, or those of all networks of the datacenter. */
export const natRulesPath = (datacenter: number, network: number | undefined): string =>
  network === undefined
    ? `${natNetworksPath(datacenter)}/action/allrules`
    : `${natNetworkPath(datacenter, network)}/rules`

export const natIpRulesPath = (datacenter: number, network: number, ip: number): string =>
  `${natIpPath(datacenter, network, ip)}/rules`

/** The NAT rules of one NAT IP. */
export const natIpRulesQuery = (datacenter: number, network: number, ip: number, query: Query) =>
  collectionQuery<NatRuleDocument>(natIpRulesPath(datacenter, network, ip), query)

/** One of many: what is shown asks again once they are done. */
export const deleteNatRule = (rule: NatRuleDocument): Promise<void> =>
  api(new URL(linkOf(rule, 'self')?.href ?? '', window.location.origin).pathname, { method: 'DELETE' })
