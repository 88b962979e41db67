import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { access } from '#components/access'
import { needs } from '#components/datacenters/reasons'
import { useDatacenter } from '#components/datacenters/use-datacenter'
import { useIds } from '#components/datacenters/use-ids'
import { useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { Page } from '#components/layout/page'
import { useMay } from '#components/layout/session'
import { TableTabs } from '#components/layout/table-tabs'
import { paths } from '#components/paths'
import { linkOf } from '#lib/http/view'
import { natNetworkQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { Address } from './address'
import { cidrFacts } from './cidr-facts'
import { IpsTable } from './ips-table'
import { hasIps } from './network-columns'
import { RemoveNetwork } from './remove-network'
import { RulesTable } from './rules-table'
import { UseBar } from './use-bar'

export function Component() {
  const { datacenter, network } = useIds()
  const { name: datacenterName, crumbs } = useDatacenter(datacenter)
  const read = useQuery(natNetworkQuery(datacenter, network))
  const document = read.data?.document
  return (
    <Page
      title={document?.name ?? `NAT network ${network}`}
      description={`NAT network of ${datacenterName}.`}
      breadcrumbs={[...crumbs, { text: 'NAT networks', href: paths.natNetworks(datacenter) }]}
      actions={document && <Actions datacenter={datacenter} network={document} />}
    >
      <SpaceBetween size="l">
        {document ? (
          <Facts network={document} />
        ) : (
          <NotHere failure={read.error} retry={() => void read.refetch()} />
        )}
        {document && <Content key={network} datacenter={datacenter} network={document} />}
      </SpaceBetween>
    </Page>
  )
}

const NotHere = ({ failure, retry }: { failure: Error | null; retry: () => void }) =>
  failure ? (
    <Failure error={failure} retry={retry} />
  ) : (
    <Container>
      <Spinner size="large" />
    </Container>
  )

function Actions({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const follow = useFollow()
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const refused = hasIps(network)
  if (!useMay(...access.changeNatNetworks)) return null
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button
        disabled={refused !== undefined}
        {...(refused !== undefined && { disabledReason: refused })}
        onClick={() => setRemoving(true)}
      >
        Delete
      </Button>
      <Button href={paths.editNatNetwork(datacenter, network.id)} onFollow={follow}>
        Edit
      </Button>
      {isRemoving && (
        <RemoveNetwork
          datacenter={datacenter}
          network={network.id}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate(paths.natNetworks(datacenter))}
        />
      )}
    </SpaceBetween>
  )
}

function Facts({ network }: { network: NatNetworkDocument }) {
  const facts = cidrFacts(network.cidr)
  return (
    <Container>
      <KeyValuePairs
        columns={4}
        ariaLabel={`Facts about ${network.name}`}
        items={[
          { label: 'CIDR', value: <Address>{network.cidr}</Address> },
          {
            label: 'Addresses',
            value: facts.kind === 'network' ? `${facts.size} (IPv${facts.version})` : '–',
          },
          { label: 'Device', value: linkOf(network, 'device')?.title ?? '–' },
          { label: 'Id', value: network.id },
          { label: 'IPs', value: network.ips.toLocaleString() },
          { label: 'Used', value: <UseBar network={network} /> },
          { label: 'Rules', value: network.rules.toLocaleString() },
          {
            label: 'Given out',
            value: facts.kind === 'network' ? <Address>{`${facts.first} to ${facts.last}`}</Address> : '–',
          },
        ]}
      />
    </Container>
  )
}

function Content({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const maySee = useMay(...access.natAddresses)
  if (!maySee) {
    return (
      <Alert
        type="info"
        header="IPs and rules are not shown"
        i18nStrings={{ infoIconAriaLabel: 'Information' }}
      >
        {needs('PHYS_DC_RETRIEVE_DETAILS')}
      </Alert>
    )
  }
  return (
    <TableTabs
      label={`What ${network.name} holds`}
      tabs={[
        { id: 'ips', label: 'IPs', content: <IpsTable datacenter={datacenter} network={network.id} /> },
        { id: 'rules', label: 'Rules', content: <RulesTable datacenter={datacenter} network={network.id} /> },
      ]}
    />
  )
}
