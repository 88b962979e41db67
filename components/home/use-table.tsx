import Table from '@cloudscape-design/components/table'
import { useFormatter, useTranslations } from 'use-intl'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import type { NatUseDocument } from '#lib/nat/networks.schema'
import { percentOf } from './nat-use'

/** What the bars show, in figures. */
export function UseTable({ uses }: { uses: readonly NatUseDocument[] }) {
  const say = useTranslations('home.datacenters')
  const format = useFormatter()
  const count = (header: string, of: (row: NatUseDocument) => number) => ({
    id: header,
    header,
    cell: (row: NatUseDocument) => format.number(of(row)),
  })
  return (
    <Table
      variant="embedded"
      items={uses}
      trackBy={({ id }) => String(id)}
      enableKeyboardNavigation
      ariaLabels={{ tableLabel: say('tableLabel') }}
      columnDefinitions={[
        {
          id: 'datacenter',
          header: say('datacenter'),
          isRowHeader: true,
          cell: ({ id, name }) => <AppLink to={paths.datacenter(id)}>{name}</AppLink>,
        },
        {
          id: 'networks',
          header: say('networks'),
          cell: ({ id, networks }) => <AppLink to={paths.natNetworks(id)}>{format.number(networks)}</AppLink>,
        },
        count(say('ips'), ({ ips }) => ips),
        count(say('used'), ({ usedIps }) => usedIps),
        {
          id: 'share',
          header: say('share'),
          cell: (use) => format.number(percentOf(use) / 100, { style: 'percent' }),
        },
        count(say('rules'), ({ rules }) => rules),
      ]}
    />
  )
}
