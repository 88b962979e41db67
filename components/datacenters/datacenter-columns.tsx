import SpaceBetween from '@cloudscape-design/components/space-between'
import { AppLink } from '#components/layout/app-link'
import type { TableColumn } from '#components/layout/table-columns'
import { paths } from '#components/paths'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import { RowActions } from './row-actions'

type Options = {
  maySeeNetworks: boolean
  maySeeAddresses: boolean
  mayManage: boolean
  onEdit: (datacenter: DatacenterDocument) => void
  onRemove: (datacenter: DatacenterDocument) => void
}

export function datacenterColumns(options: Options): TableColumn<DatacenterDocument>[] {
  const { mayManage, maySeeNetworks, maySeeAddresses, onEdit, onRemove } = options
  const columns: TableColumn<DatacenterDocument>[] = [
    {
      id: 'name',
      header: 'Name',
      by: 'name',
      isRowHeader: true,
      width: 260,
      cell: ({ id, name }) => <AppLink to={paths.datacenter(id)}>{name}</AppLink>,
    },
    { id: 'location', header: 'Location', width: 240, cell: ({ location }) => location || '–' },
    { id: 'id', header: 'Id', by: 'id', width: 120, hidden: true, cell: ({ id }) => id },
  ]
  if (maySeeNetworks) {
    columns.push({
      id: 'nat',
      header: 'NAT',
      width: 280,
      cell: ({ id, name }) => <NatLinks id={id} name={name} maySeeAddresses={maySeeAddresses} />,
    })
  }
  if (mayManage) {
    columns.push({
      id: 'actions',
      header: 'Actions',
      minWidth: 100,
      cell: (datacenter) => (
        <RowActions
          name={datacenter.name}
          actions={[
            { text: 'Edit', icon: 'edit', onClick: () => onEdit(datacenter) },
            { text: 'Delete', icon: 'remove', onClick: () => onRemove(datacenter) },
          ]}
        />
      ),
    })
  }
  return columns
}

type NatLinksProps = Pick<DatacenterDocument, 'id' | 'name'> & Pick<Options, 'maySeeAddresses'>

/** The NAT screens of a datacenter. */
export const NatLinks = ({ id, name, maySeeAddresses }: NatLinksProps) => (
  <SpaceBetween direction="horizontal" size="m">
    <AppLink to={paths.natNetworks(id)} ariaLabel={`NAT networks of ${name}`}>
      Networks
    </AppLink>
    {maySeeAddresses && (
      <AppLink to={paths.natIps(id)} ariaLabel={`NAT IPs of ${name}`}>
        IPs
      </AppLink>
    )}
    {maySeeAddresses && (
      <AppLink to={paths.natRules(id)} ariaLabel={`NAT rules of ${name}`}>
        Rules
      </AppLink>
    )}
  </SpaceBetween>
)
