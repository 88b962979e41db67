import { api } from '#lib/client/api'
import { collectionQuery, type Query } from '#lib/client/resources.queries'
import { linkOf } from '#lib/http/view'
import { natIpPath } from '#lib/nat/ips.queries'
import { natNetworkPath, natNetworksPath } from '#lib/nat/networks.queries'
import type { NatRuleDocument } from '#lib/nat/rules.schema'

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
