import { collectionQuery, type Query } from '#lib/infrastructure/resources.queries'
import { natNetworkPath, natNetworksPath } from '#lib/nat/networks.queries'
import type { NatRuleDocument } from '#lib/nat/rules.schema'

/** The NAT rules of one network, or of all networks of the datacenter. */
export const natRulesQuery = (datacenter: number, network: number | undefined, query: Query) =>
  collectionQuery<NatRuleDocument>(
    network === undefined
      ? `${natNetworksPath(datacenter)}/action/allrules`
      : `${natNetworkPath(datacenter, network)}/rules`,
    query,
  )
