import Table from '@cloudscape-design/components/table'
import { useFormatter, useTranslations } from 'use-intl'
import { AppLink } from '#components/layout/app-link'
import { paths } from '#components/paths'
import { percentOf } from './nat-use'
import type { DatacenterUse } from './use-nat-use'

/** What the bars show, in figures. */
export function UseTable({ uses }: { uses: readonly DatacenterUse[] }) {
  const say = useTranslations('home.datacenters')
  const format = useFormatter()
  const count = (header: string, of: (row: DatacenterUse) => number) => ({
    id: header,
    header,
    cell: (row: DatacenterUse) => format.number(of(row)),
  })
  return (
    <Table
      variant="embedded"
      items={uses}
      trackBy={({ datacenter }) => String(datacenter.id)}
      enableKeyboardNavigation
      ariaLabels={{ tableLabel: say('tableLabel') }}
      columnDefinitions={[
        {
          id: 'datacenter',
          header: say('datacenter'),
          isRowHeader: true,
          cell: ({ datacenter }) => <AppLink to={paths.datacenter(datacenter.id)}>{datacenter.name}</AppLink>,
        },
        {
          id: 'networks',
          header: say('networks'),
          cell: ({ datacenter, use }) => (
            <AppLink to={paths.natNetworks(datacenter.id)}>{format.number(use.networks)}</AppLink>
          ),
        },
        count(say('ips'), ({ use }) => use.ips),
        count(say('used'), ({ use }) => use.usedIps),
        {
          id: 'share',
          header: say('share'),
          cell: ({ use }) => format.number(percentOf(use) / 100, { style: 'percent' }),
        },
        count(say('rules'), ({ use }) => use.rules),
      ]}
    />
  )
}
