import { useDatacenter } from '#components/datacenters/use-datacenter'
import { useIds } from '#components/datacenters/use-ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { IpsTable } from './ips-table'

export function Component() {
  const { datacenter } = useIds()
  const { name, crumbs } = useDatacenter(datacenter)
  return (
    <Page
      title="NAT IPs"
      description={`The IPs of all NAT networks of ${name}.`}
      breadcrumbs={[...crumbs, { text: 'NAT networks', href: paths.natNetworks(datacenter) }]}
    >
      <IpsTable key={datacenter} datacenter={datacenter} />
    </Page>
  )
}
