import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { paths } from '#components/paths'
import { AppLink } from '#components/screens/app-link'
import { RowActions } from '#components/table/row-actions'
import type { TableColumn } from '#components/table/table-columns'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import type { Say } from '#lib/words/words'

type Options = {
  maySeeNetworks: boolean
  maySeeAddresses: boolean
  mayManage: boolean
  onEdit: (datacenter: DatacenterDocument) => void
  onRemove: (datacenter: DatacenterDocument) => void
}

export function datacenterColumns(
  say: Say<'datacenters.list'>,
  { mayManage, maySeeNetworks, maySeeAddresses, onEdit, onRemove }: Options,
): TableColumn<DatacenterDocument>[] {
  const columns: TableColumn<DatacenterDocument>[] = [
    {
      id: 'name',
      header: say('name'),
      by: 'name',
      isRowHeader: true,
      width: 260,
      cell: ({ id, name }) => <AppLink to={paths.datacenter(id)}>{name}</AppLink>,
    },
    { id: 'location', header: say('location'), width: 240, cell: ({ location }) => location || '–' },
    { id: 'id', header: say('id'), by: 'id', width: 120, hidden: true, cell: ({ id }) => id },
  ]
  if (maySeeNetworks) {
    columns.push({
      id: 'nat',
      header: say('nat'),
      width: 280,
      cell: ({ id, name }) => <NatLinks id={id} name={name} maySeeAddresses={maySeeAddresses} />,
    })
  }
  if (mayManage) {
    columns.push({
      id: 'actions',
      header: say('actions'),
      minWidth: 100,
      cell: (datacenter) => (
        <RowActions
          name={datacenter.name}
          actions={[
            { does: 'edit', onClick: () => onEdit(datacenter) },
            { does: 'remove', onClick: () => onRemove(datacenter) },
          ]}
        />
      ),
    })
  }
  return columns
}

type NatLinksProps = Pick<DatacenterDocument, 'id' | 'name'> & Pick<Options, 'maySeeAddresses'>

/** The NAT screens of a datacenter. */
export function NatLinks({ id, name, maySeeAddresses }: NatLinksProps) {
  const say = useTranslations('datacenters.nat')
  return (
    <SpaceBetween direction="horizontal" size="m">
      <AppLink to={paths.natNetworks(id)} ariaLabel={say('networksOf', { name })}>
        {say('networks')}
      </AppLink>
      {maySeeAddresses && (
        <AppLink to={paths.natIps(id)} ariaLabel={say('ipsOf', { name })}>
          {say('ips')}
        </AppLink>
      )}
      {maySeeAddresses && (
        <AppLink to={paths.natRules(id)} ariaLabel={say('rulesOf', { name })}>
          {say('rules')}
        </AppLink>
      )}
    </SpaceBetween>
  )
}
