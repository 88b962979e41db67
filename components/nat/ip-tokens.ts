import { useTranslations } from 'use-intl'
import { access } from '#components/access'
import { useMay } from '#components/session/session'
import { lookup, type Token } from '#components/table/table-tokens'
import { readers } from '#lib/auth/readers'
import { enterpriseQuery, enterprisesQuery } from '#lib/identity/enterprises.queries'
import {
  virtualDatacenterQuery,
  virtualDatacentersQuery,
} from '#lib/infrastructure/virtual-datacenters.queries'
import { natNetworkQuery, natNetworksQuery } from '#lib/nat/networks.queries'

const asValues = ({ collection }: { collection: readonly { id: number; name: string }[] }) =>
  collection.map(({ id, name }) => ({ value: String(id), label: name }))

const nameIn = ({ document }: { document: { name: string } }): string => document.name

/** As many as a list of proposals shows. */
const found = (has: string) => ({ by: 'name', has: has || undefined, limit: 20 })

/** The networks of a datacenter, to narrow a list by one of them. */
export const networkToken = (label: string, datacenter: number): Token<'network'> => ({
  key: 'network',
  label,
  search: (text) => lookup(natNetworksQuery(datacenter, found(text)), asValues),
  name: (id) => lookup(natNetworkQuery(datacenter, Number(id)), nameIn),
})

export const enterpriseToken = (label: string): Token<'enterprise'> => ({
  key: 'enterprise',
  label,
  search: (text) => lookup(enterprisesQuery(found(text)), asValues),
  name: (id) => lookup(enterpriseQuery(Number(id)), nameIn),
})

const virtualDatacenterToken = (label: string, datacenter: number): Token<'virtualdatacenter'> => ({
  key: 'virtualdatacenter',
  label,
  search: (text) => lookup(virtualDatacentersQuery({ ...found(text), datacenter }), asValues),
  name: (id) => lookup(virtualDatacenterQuery(Number(id)), nameIn),
})

/** What a list of IPs may be narrowed by, as far as the reader may look it up. */
export function useIpTokens(datacenter: number, { withNetwork }: { withNetwork: boolean }) {
  const say = useTranslations('nat.ips')
  const mayFindEnterprises = useMay(...access.enterprises)
  const mayFindCenters = useMay(...readers.virtualdatacenter)
  const yes = { value: 'true', label: say('yes') }
  const no = { value: 'false', label: say('no') }
  return [
    { key: 'ip' as const, label: say('ip') },
    { key: 'available' as const, label: say('available'), values: [yes, no] },
    { key: 'quarantine' as const, label: say('quarantine'), values: [yes, no] },
    { key: 'snatdefault' as const, label: say('defaultSnat'), values: [yes] },
    { key: 'attached' as const, label: say('attached'), values: [yes, no] },
    ...(withNetwork ? [networkToken(say('network'), datacenter)] : []),
    ...(mayFindCenters ? [virtualDatacenterToken(say('virtualDatacenter'), datacenter)] : []),
    ...(mayFindEnterprises ? [enterpriseToken(say('enterprise'))] : []),
  ]
}
