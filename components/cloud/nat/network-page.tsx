import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useIds } from '#components/base/forms/ids'
import { RequiredPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { useCheckTab } from '#components/cloud/nat-check/use-check-tab'
import { EventsOf } from '#components/events/events-of'
import { Facts } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Row, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Tool } from '#components/kit/tool'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import { natIpsPath } from '#lib/cloud/nat/ips.queries'
import { natNetworkQuery } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { linkOf } from '#lib/ground/http/view'
import { AddressMap } from './address-map'
import { Address, Count } from './cells'
import { cidrFacts, countText } from './cidr-facts'
import { IpsTable } from './ips-page'
import { hasIps, RemoveNetwork } from './remove-network'
import { RulesTable } from './rules-page'
import { UseBar, UseText } from './use-bar'
import { useDatacenter } from './use-datacenter'
import { UseHistory } from './use-history'

export function Component() {
  const say = useTranslations('nat')
  const { datacenter, network } = useIds()
  const { natCrumbs } = useDatacenter(datacenter)
  const read = useQuery(natNetworkQuery(datacenter, network))
  const document = read.data?.document
  return (
    <Page
      title={document?.name ?? say('network.numbered', { id: String(network) })}
      breadcrumbs={natCrumbs}
      actions={document && <Actions datacenter={datacenter} network={document} />}
    >
      <Stack gap="s">
        {document ? <NetworkFacts network={document} /> : <Waiting read={read} boxed />}
        {document && <Content key={network} datacenter={datacenter} network={document} />}
      </Stack>
    </Page>
  )
}

function Actions({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const common = useTranslations('common')
  const say = useTranslations('nat.networks')
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const refused = hasIps(say, network)
  if (!useMay(...access.changeNatNetworks)) return null
  return (
    <Row>
      <Tool refused={refused} onPress={() => setRemoving(true)}>
        {common('delete')}
      </Tool>
      <AppButton data-key="e" to={paths.editNatNetwork(datacenter, network.id)}>
        {common('edit')}
      </AppButton>
      {isRemoving && (
        <RemoveNetwork
          datacenter={datacenter}
          network={network.id}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate(paths.natNetworks(datacenter))}
        />
      )}
    </Row>
  )
}

function Content({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const say = useTranslations('nat.network')
  const label = useTranslations('labels')
  const history = useTranslations('nat.useHistory')
  const check = useCheckTab({ datacenter, network: network.id })
  const maySee = useMay(...access.natAddresses)
  if (!maySee) {
    return (
      <Notice title={say('notShown')}>
        <RequiredPrivilege
          privilege="PHYS_DC_RETRIEVE_DETAILS"
          call={{ method: 'GET', path: natIpsPath(datacenter, network.id) }}
        />
      </Notice>
    )
  }
  return (
    <TableTabs
      label={say('tabs', { name: network.name })}
      tabs={[
        { id: 'ips', content: <IpsTable datacenter={datacenter} network={network} /> },
        { id: 'rules', content: <RulesTable datacenter={datacenter} network={network.id} /> },
        {
          id: 'map',
          label: label('addressMap'),
          content: <AddressMap datacenter={datacenter} network={network} />,
        },
        check,
        {
          id: 'use',
          label: history('tab'),
          content: <UseHistory datacenter={datacenter} network={network} />,
          isNow: true,
        },
        { id: 'events', content: <EventsOf entity="natnetwork" entityid={network.id} /> },
      ]}
    />
  )
}

function NetworkFacts({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('nat.network')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.natNetworks())
  const none = useTranslations('common')('none')
  const format = useFormatter()
  const sizes = ({ cidr }: NatNetworkDocument) => {
    const facts = cidrFacts(cidr)
    const isNetwork = facts.kind === 'network'
    const size = isNetwork && countText(facts.size, (number) => format.number(number))
    return [
      {
        label: say('addresses'),
        value: isNetwork ? say('size', { size: String(size), version: String(facts.version) }) : none,
      },
      {
        label: say('given'),
        value: isNetwork ? <Address>{say('range', { first: facts.first, last: facts.last })}</Address> : none,
      },
    ]
  }
  return (
    <Facts
      of={network}
      name={network.name}
      line={(document) => [
        { label: label('cidr'), value: <Address>{document.cidr}</Address> },
        {
          label: label('device'),
          value: linkOf(document, 'device') ? <ScreenLink link={linkOf(document, 'device')} /> : none,
          short: linkOf(document, 'device')?.title ?? none,
        },
        { label: label('used'), value: <UseBar network={document} /> },
        { label: label('ips'), value: <Count of={document.ips} /> },
        { label: label('rules'), value: <Count of={document.rules} /> },
      ]}
      rest={(document) => [
        { label: say('use'), value: <UseText network={document} /> },
        ...sizes(document),
        ...ofNotes(document),
        { label: label('id'), value: document.id },
      ]}
    />
  )
}
