import { useTranslations } from 'use-intl'
import { useIds } from '#components/forms/ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { listLoader } from '#components/table/list-loader'
import { natIpsQuery } from '#lib/nat/ips.queries'
import { IpsTable } from './ips-table'
import { prefetchDatacenter, useDatacenter } from './use-datacenter'
import { ipListQuery, ipListSpec } from './use-ip-list'

export const loader = listLoader(ipListSpec(false), (client, table, { datacenter }) =>
  Promise.all([
    client.prefetchQuery(natIpsQuery(Number(datacenter), undefined, ipListQuery(table).query)),
    prefetchDatacenter(client, Number(datacenter)),
  ]),
)

export function Component() {
  const say = useTranslations('nat')
  const { datacenter } = useIds()
  const { name, crumbs } = useDatacenter(datacenter)
  return (
    <Page
      title={say('ips.title')}
      description={say('ips.about', { datacenter: name })}
      breadcrumbs={[...crumbs, { text: say('networks.title'), href: paths.natNetworks(datacenter) }]}
    >
      <IpsTable key={datacenter} datacenter={datacenter} />
    </Page>
  )
}
